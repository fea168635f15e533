import { readSegment, writeSegment } from '@engulf/sim/recording/segment';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import type { Move } from '@engulf/sim/testing/random-play';
import { describe, expect, test } from 'vitest';
import { paceOf } from './check-receipts.ts';
import { change, evidence, sample, verify } from './testing/live-match.ts';
import { type Evidence, playMatch, seal } from './testing/played-match.ts';

/* More of what an operator could try with one match, with the numbers of the table in docs/fairness.md. */

/** Two players exchange what they did. */
const swapped = playMatch({
  ...sample,
  moves: sample.moves.map((all) =>
    all.map((move): Move => ('who' in move && move.who < 2 ? { ...move, who: 1 - move.who } : move)),
  ),
});

/** What one match was settled with, claimed for another. */
const settledAs = (played: Evidence, other: Evidence) =>
  change(
    { ...played, chain: { ...played.chain, joins: other.chain.joins, claims: other.chain.claims } },
    (match) => {
      Object.assign(match, { entries: other.match.entries, spillAfter: other.match.spillAfter });
      match.entryCount = match.entries.length;
    },
  );

describe('a forgery', () => {
  test('1a: moves of two players that were swapped in the recording do not play the same match', async () => {
    let isSwapped = false;
    const parts = evidence.parts.map((part) => {
      const segment = part.kind === 'segment' ? readSegment(part.body) : undefined;
      if (!segment?.ok || segment.value.tracks.length < 2 || isSwapped) return part;
      isSwapped = true;
      const [first, second, ...rest] = segment.value.tracks;
      const tracks = [{ ...first!, player: second!.player }, { ...second!, player: first!.player }, ...rest];
      return { ...part, body: writeSegment({ ...segment.value, tracks }) };
    });
    expect(isSwapped).toBe(true);
    const { recording, finalHash } = seal(parts);
    const forged = change(evidence, (match) => Object.assign(match, { finalHash }));
    expect((await verify({ ...forged, recording })).wrong).toMatchObject({ check: 'replay' });
  });

  test('1b: a match that was played again with swapped moves does not fit what was settled', async () => {
    expect((await verify(swapped)).isRight).toBe(true);
    expect((await verify(settledAs(swapped, evidence))).wrong).toMatchObject({ check: 'settlement' });
  });

  test('7a: an entry that is left out of the list is missed', async () => {
    const short = change(evidence, (match) => {
      match.entries = match.entries.slice(1);
    });
    expect((await verify(short)).wrong).toMatchObject({ check: 'entries' });
    const uncounted = change(short, (match) => {
      match.entryCount--;
    });
    expect((await verify(uncounted)).wrong).toMatchObject({ check: 'settlement' });
  });

  test('9: the recording or the settlement of another match does not fit', async () => {
    const other = playMatch({ seed: 31, moves: [[{ what: 'join', stake: 7n }], ...Array(130).fill([])] });
    const { wrong } = await verify({ ...evidence, recording: other.recording });
    expect(wrong).toMatchObject({ check: 'recording' });
    expect((await verify(settledAs(evidence, other))).wrong).toMatchObject({ check: 'settlement' });
  });

  test('11: a match that nobody was paid for is open, with the number of payouts', async () => {
    const unpaid = change(evidence, (match) => {
      match.entries = match.entries.map((entry) => ({
        ...entry,
        payout: entry.payout && { ...entry.payout, status: 'pending', signature: null },
      }));
    });
    const { isRight, wrong, open } = await verify(unpaid);
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    const count = evidence.match.entries.filter(({ payout }) => payout).length;
    expect(open.join()).toContain(`${count} payout`);
  });

  test('17, 18: bots and test mass have no place in a match for money', async () => {
    const join = { what: 'join' as const, stake: 1_000n };
    const still = Array.from({ length: 130 }, () => []);
    const withBots = playMatch({ seed: 3, moves: [[join], ...still] }, { bots: 3 });
    expect((await verify(withBots)).wrong?.what).toContain('bots have played');
    const mass = [{ what: 'testMass' as const, who: 0, x: 0, y: 0 }];
    const fed = playMatch({ seed: 3, moves: [[join], mass, ...still] }, { rules: crowdedRules });
    expect((await verify(fed)).wrong?.what).toContain('mass for a test');
  });

  test('22: receipts show a pause of the clock', () => {
    const receipt = (tick: number, slot: number) => ({ tick, slot }) as Parameters<typeof paceOf>[0][number];
    expect(paceOf([receipt(125, 1_000), receipt(375, 1_025)], 25)).toContain('10 s of play in about 10 s');
    expect(paceOf([receipt(125, 1_000), receipt(375, 1_100)], 25)).toContain('10 s of play in about 40 s');
  });
});
