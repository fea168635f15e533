import * as fc from 'fast-check';
import type { Command } from '../commands.ts';
import { type PlayerId, playerId } from '../players.ts';
import type { World } from '../world.ts';

/** One thing that somebody does, told without knowing the world: `who` picks among the living by number. */
export type Move = {
  readonly what:
    | 'join'
    | 'steer'
    | 'split'
    | 'eject'
    | 'disconnect'
    | 'reconnect'
    | 'close'
    | 'setPopulation';
  readonly who: number;
  readonly x: number;
  readonly y: number;
  readonly stake: bigint;
};

const move: fc.Arbitrary<Move> = fc.record({
  what: fc.constantFrom(
    ...(['join', 'join', 'steer', 'steer', 'steer', 'split', 'split', 'eject', 'eject'] as const),
    ...(['disconnect', 'reconnect'] as const),
  ),
  who: fc.nat(9),
  x: fc.integer({ min: -800, max: 800 }),
  y: fc.integer({ min: -800, max: 800 }),
  stake: fc.bigInt({ min: 0n, max: 10n ** 12n }),
});

/** A match: for every step the moves made before it. */
export const randomMatch: fc.Arbitrary<{ seed: number; bots: number; moves: Move[][] }> = fc.record({
  seed: fc.nat(),
  bots: fc.nat(4),
  moves: fc.array(fc.array(move, { maxLength: 3 }), { minLength: 20, maxLength: 160 }),
});

export function commandOf(world: World, { what, who, x, y, stake }: Move): Command {
  const player = pickPlayer(world, who);
  switch (what) {
    case 'join':
      return { type: 'join', stake };
    case 'steer':
      return { type: 'steer', player, x, y };
    case 'close':
      return { type: 'close', inSeconds: Math.abs(x) / 100 };
    case 'setPopulation':
      return { type: 'setPopulation', count: who };
    default:
      return { type: what, player };
  }
}

function pickPlayer({ players }: World, who: number): PlayerId {
  return playerId(players, who % Math.max(1, players.top));
}
