import type { Rules } from './rules.ts';

/**
 * Kindness to people in their first lives, in free lobbies. For the first minute no bot hunts a newcomer, those that could eat
 * it keep out of its way, and a few small ones play around it. Whoever has just come is protected until it has eaten.
 */
export type Newcomers = {
  readonly shelteredUntilTick: Int32Array;
  /** A person who has not eaten since it came. */
  readonly isHungry: Uint8Array;
  /** A bot that came for a newcomer. */
  readonly isCompanion: Uint8Array;
};

export function isKind({ newcomers }: Rules): boolean {
  return newcomers.shelterSeconds > 0;
}

export function createNewcomers({ maxPlayers }: Rules): Newcomers {
  return {
    shelteredUntilTick: new Int32Array(maxPlayers),
    isHungry: new Uint8Array(maxPlayers),
    isCompanion: new Uint8Array(maxPlayers),
  };
}
