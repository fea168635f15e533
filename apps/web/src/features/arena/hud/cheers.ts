/** Something to be glad about, shown for a moment. */
export type Cheer =
  | { readonly kind: 'first' }
  | { readonly kind: 'rank'; readonly rank: number }
  | { readonly kind: 'mass'; readonly mass: number }
  | { readonly kind: 'streak'; readonly kills: number };

const MILESTONES = [100, 250, 500, 1_000, 2_500, 5_000] as const;
/** A rank below this one is nothing to cheer about. */
const WORTHY_RANK = 10;
/** Kills that follow each other within this time are a streak. */
const STREAK_MS = 12_000;

/** Watches one life. Each thing is cheered once. */
export function createCheering() {
  let bestRank: number | undefined;
  let bestMass = 0;
  let kills = 0;
  let killedAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** The first rank of a life is where it begins. */
    noteRank(rank: number): Cheer | undefined {
      const before = bestRank;
      bestRank = Math.min(before ?? rank, rank);
      if (before === undefined || rank >= before || rank > WORTHY_RANK) return undefined;
      return rank === 1 ? { kind: 'first' } : { kind: 'rank', rank };
    },
    noteMass(mass: number): Cheer | undefined {
      const reached = MILESTONES.findLast((milestone) => mass >= milestone && bestMass < milestone);
      bestMass = Math.max(bestMass, mass);
      return reached === undefined ? undefined : { kind: 'mass', mass: reached };
    },
    noteKill(nowMs: number): Cheer | undefined {
      kills = nowMs - killedAtMs <= STREAK_MS ? kills + 1 : 1;
      killedAtMs = nowMs;
      return kills < 2 ? undefined : { kind: 'streak', kills };
    },
  };
}
