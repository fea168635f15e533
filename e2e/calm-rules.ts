/** A small arena in which nothing can happen to a player: no portal opens and nobody can eat anybody. */
export const CALM_RULES = {
  worldSize: 1800,
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 100_000 },
  eating: { massRatio: 1_000 },
  // Hardly a bot, so that the leaderboard has room for the players.
  bots: { sight: 1, joinEverySeconds: 1_000 },
};
