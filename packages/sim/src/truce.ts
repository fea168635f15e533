import type { Rules } from './rules.ts';

/**
 * While most people's lines are down nobody can be eaten, and neither the clock nor the portals go on. Whoever is there may
 * leave through a portal that is open.
 */
export type Truce = {
  /** -1 while there is none. */
  endsAtTick: number;
};

export function hasTruces({ truce }: Rules): boolean {
  return truce.maxSeconds > 0;
}

export function createTruce(): Truce {
  return { endsAtTick: -1 };
}

export function isTruce({ endsAtTick }: Truce): boolean {
  return endsAtTick >= 0;
}
