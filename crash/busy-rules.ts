/** A small arena in which somebody is eaten or leaves all the time. */
export const BUSY_RULES = {
  worldSize: 1_400,
  spawn: { invulnerableSeconds: 0.5, safeDistance: 200 },
  eating: { massRatio: 1.02 },
  food: { count: 160 },
  viruses: { count: 2, clearance: 100 },
  portals: { idleSeconds: 4, warningSeconds: 1, activeSeconds: 6, borderDistance: 200, spacing: 300 },
  departure: { graceSeconds: 2 },
  epochs: { seconds: 5 },
};
