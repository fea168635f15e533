import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedKey } from '../keys.ts';
import { findPlayer } from '../players.ts';
import { quietRules } from '../testing/arena-builder.ts';
import { hashLogged, watchInputs } from './input-log.ts';
import { createInputWitness, type WitnessedClaim } from './input-witness.ts';
import { applyRecorded, pointAt, startRecordedMatch, stepRecorded } from './recorder.ts';

const EVERY_TICKS = 40;

/** What happens between two steps. */
type Turn = {
  readonly inputs: readonly {
    readonly type: 'steer' | 'split' | 'eject';
    readonly x: number;
    readonly y: number;
  }[];
  /** How many of them the line still carries before it breaks; undefined: it does not break. */
  readonly breaksAfter: number | undefined;
  readonly isSeen: boolean;
};

const input = fc.record({
  type: fc.constantFrom('steer' as const, 'steer' as const, 'split' as const, 'eject' as const),
  x: fc.double({ min: -900, max: 900, noNaN: true }),
  y: fc.double({ min: -900, max: 900, noNaN: true }),
});
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    inputs: fc.array(input, { maxLength: 4 }),
    breaksAfter: fc.oneof(
      { weight: 60, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(4) },
    ),
    isSeen: fc.boolean().chain((often) => (often ? fc.constant(true) : fc.boolean())),
  }),
  { minLength: 60, maxLength: 200 },
);

/** A room and a page, with a line between them that breaks. */
function play(all: readonly Turn[], tamper = (_turn: number, x: number) => x) {
  const match = startRecordedMatch({ key: numberedKey(3), rules: quietRules, spill: 0n }, () => {});
  const joined = applyRecorded(match, { type: 'join', stake: 1n });
  if (!joined.ok) throw new Error('nobody could join');
  const player = joined.player!;
  watchInputs(match.inputs, match.world, player);
  const witness = createInputWitness(EVERY_TICKS);
  let [number, latestInput, isFresh] = [0, 0, true];
  const claims: { claim: WitnessedClaim; recorded: Uint8Array | undefined }[] = [];
  witness.noteLine();
  all.forEach(({ inputs, breaksAfter, isSeen }, turn) => {
    inputs.forEach((sent, index) => {
      number = (number + 1) % 256;
      witness.noteSent(number, sent);
      if (breaksAfter !== undefined && index >= breaksAfter) return;
      latestInput = number;
      if (sent.type === 'steer') pointAt(match, player, tamper(turn, sent.x), sent.y);
      else applyRecorded(match, { type: sent.type, player });
    });
    const isBroken = breaksAfter !== undefined;
    if (isBroken) {
      applyRecorded(match, { type: 'disconnect', player });
      applyRecorded(match, { type: 'reconnect', player });
      witness.noteLine();
      isFresh = true;
    }
    stepRecorded(match);
    // The first update after a break always comes.
    if (!isSeen && !isFresh) return;
    isFresh = false;
    const alive = findPlayer(match.world.players, player) >= 0 ? player : undefined;
    const claim = witness.noteUpdate(match.world.clock.tick, latestInput, alive);
    if (claim) claims.push({ claim, recorded: hashLogged(match.inputs, claim.claim) });
  });
  return claims;
}

test('what a page claims is what the room has recorded, whatever updates are missed and lines break', () => {
  let count = 0;
  fc.assert(
    fc.property(turns, (all) => {
      for (const { claim, recorded } of play(all)) {
        count++;
        expect(recorded).toEqual(claim.rowsHash);
      }
    }),
    { seed: 1, numRuns: 60 },
  );
  expect(count).toBeGreaterThan(100);
});

test('a pointer that the room swaps is not what the page claims', () => {
  const all = Array.from({ length: 150 }, (_, turn) => ({
    inputs: [{ type: 'steer' as const, x: 8 * turn, y: 0 }],
    breaksAfter: undefined,
    isSeen: true,
  }));
  const swapped = play(all, (turn, x) => (turn === 50 ? -x - 100 : x));
  const fits = swapped.map(({ claim, recorded }) => `${recorded}` === `${claim.rowsHash}`);
  expect(fits).toEqual([true, false, true]);
});
