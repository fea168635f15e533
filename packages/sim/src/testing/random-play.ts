import * as fc from 'fast-check';
import type { Command } from '../commands.ts';
import { type PlayerId, playerId } from '../players.ts';
import type { World } from '../world.ts';

/** Mass for a test is never random: it would break the conservation of mass. */
type PlayerAction = 'steer' | 'split' | 'eject' | 'disconnect' | 'reconnect' | 'testMass';

/** One command, without reference to a world: `who` picks a player slot by number. */
export type Move =
  | { readonly what: 'join'; readonly stake: bigint }
  | { readonly what: PlayerAction; readonly who: number; readonly x: number; readonly y: number }
  | { readonly what: 'close'; readonly inSeconds: number }
  | { readonly what: 'setPopulation'; readonly count: number };

const offset = fc.integer({ min: -800, max: 800 });

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ what: fc.constant('join'), stake: fc.bigInt(0n, 10n ** 12n) }) },
  {
    weight: 90,
    arbitrary: fc.record({
      what: fc.constantFrom<PlayerAction[]>(
        ...(['steer', 'steer', 'steer', 'split', 'split', 'eject', 'eject'] as const),
        ...(['disconnect', 'reconnect'] as const),
      ),
      who: fc.nat(9),
      x: offset,
      y: offset,
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('setPopulation'), count: fc.nat(9) }) },
  // Rare, because a closing ends the match and with it everything else that could happen.
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('close'),
      inSeconds: fc.double({ min: 0, max: 5, noNaN: true }),
    }),
  },
);

/** A match: for every step the moves made before it. */
export const randomMatch: fc.Arbitrary<{ seed: number; bots: number; moves: Move[][] }> = fc.record({
  seed: fc.nat(),
  bots: fc.nat(4),
  moves: fc.array(fc.array(move, { maxLength: 3 }), { minLength: 20, maxLength: 160 }),
});

export function commandOf(world: World, move: Move): Command {
  switch (move.what) {
    case 'join':
      return { type: 'join', stake: move.stake };
    case 'close':
      return { type: 'close', inSeconds: move.inSeconds };
    case 'setPopulation':
      return { type: 'setPopulation', count: move.count };
    case 'steer':
      return { type: 'steer', player: pickPlayer(world, move.who), x: move.x, y: move.y };
    default:
      return { type: move.what, player: pickPlayer(world, move.who) };
  }
}

function pickPlayer({ players }: World, who: number): PlayerId {
  return playerId(players, who % Math.max(1, players.top));
}
