/** From best to worst. */
export const CONNECTION_QUALITIES = ['excellent', 'good', 'fair', 'poor', 'critical'] as const;
export type ConnectionQuality = (typeof CONNECTION_QUALITIES)[number];

/**
 * What a connection can carry. The client measures it and tells the room, which sends no more than that; a client can
 * ask for less than its screen could show, never for more.
 */
export const QUALITY_LEVELS: {
  readonly [quality in ConnectionQuality]: {
    /** At most; the room has no more than its steps. */
    readonly updatesPerSecond: number;
    /** How far from its middle a player sees. The first two are farther than any screen shows. */
    readonly viewDistanceWorld: number;
    readonly maxParticles: number;
    readonly hasEffects: boolean;
  };
} = {
  excellent: { updatesPerSecond: 60, viewDistanceWorld: 2_000, maxParticles: 150, hasEffects: true },
  good: { updatesPerSecond: 45, viewDistanceWorld: 1_500, maxParticles: 100, hasEffects: true },
  fair: { updatesPerSecond: 30, viewDistanceWorld: 1_200, maxParticles: 50, hasEffects: false },
  poor: { updatesPerSecond: 20, viewDistanceWorld: 800, maxParticles: 25, hasEffects: false },
  critical: { updatesPerSecond: 15, viewDistanceWorld: 600, maxParticles: 0, hasEffects: false },
};
