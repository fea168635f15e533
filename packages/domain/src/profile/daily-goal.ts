/** What there is to do in free lobbies on a day. The only prize is the frame of one's portrait. */
export type DailyGoal = {
  readonly kind: 'kills' | 'mass' | 'seconds' | 'exits';
  readonly target: number;
};

/** A life in a free lobby, as far as goals are concerned. */
export type GoalLife = {
  readonly kills: number;
  readonly peakMass: number;
  readonly seconds: number;
  /** Left through a portal. */
  readonly isExit: boolean;
};

const GOALS: readonly DailyGoal[] = [
  { kind: 'kills', target: 5 },
  { kind: 'mass', target: 400 },
  { kind: 'exits', target: 1 },
  { kind: 'seconds', target: 180 },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/** The same for everybody; a day is one of UTC. */
export function goalAt(nowMs: number): { readonly day: string; readonly goal: DailyGoal } {
  const nth = Math.floor(nowMs / DAY_MS);
  return { day: new Date(nth * DAY_MS).toISOString().slice(0, 10), goal: GOALS[nth % GOALS.length]! };
}

/** Kills and exits add up over the day; mass and time have to be reached in one life. */
export function addToGoal({ kind }: DailyGoal, progress: number, life: GoalLife): number {
  switch (kind) {
    case 'kills':
      return progress + life.kills;
    case 'exits':
      return progress + (life.isExit ? 1 : 0);
    case 'mass':
      return Math.max(progress, Math.floor(life.peakMass));
    case 'seconds':
      return Math.max(progress, life.seconds);
  }
}

export const FRAMES = ['none', 'glass', 'copper', 'gold'] as const;
export type Frame = (typeof FRAMES)[number];

/** Days with a reached goal that each frame takes. */
export const FRAME_DAYS: { readonly [frame in Frame]: number } = { none: 0, glass: 1, copper: 5, gold: 20 };

export function frameFor(goalDays: number): Frame {
  return FRAMES.findLast((frame) => goalDays >= FRAME_DAYS[frame])!;
}
