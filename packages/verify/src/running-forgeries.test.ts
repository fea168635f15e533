import { commitmentOf, lastSecret, numberedKey, secretOf, toHex } from '@engulf/sim/keys';
import { readSegment, writeSegment } from '@engulf/sim/recording/segment';
import type { Rules } from '@engulf/sim/rules';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import { describe, expect, test } from 'vitest';
import { openRecording } from './open-recording.ts';
import { change, verify } from './testing/live-match.ts';
import { type Evidence, type Part, playMatch, seal } from './testing/played-match.ts';
import { whileItRan } from './testing/running-view.ts';
import { verifyMatch } from './verify-match.ts';

/* A match that is checked while it goes on, and what an operator could try: number 26 of the table in docs/fairness.md. */

const join = { what: 'join' as const, stake: 1_000n };
const EPOCH_SECONDS = 4;
/** Portals as wide as the arena: whoever is in when they open leaves. */
const rules: Rules = {
  ...crowdedRules,
  epochs: { seconds: EPOCH_SECONDS },
  spawn: { ...crowdedRules.spawn, invulnerableSeconds: 60 },
  portals: { ...crowdedRules.portals, idleSeconds: 5, activeSeconds: 1, radius: 3_000 },
};
const LATE = 10 * 25;
const moves = Array.from({ length: 14 * 25 }, (_, tick) => (tick === 0 || tick === LATE ? [join, join] : []));
const ended = playMatch({ seed: 6, moves }, { rules });
const running = await whileItRan(ended, 3);
const [first] = running.match.entries;

const withPublished = (changed: object): Evidence =>
  change(running, (match) => {
    match.published = { ...match.published!, ...changed };
  });

/** Forged parts with hashes that fit, as the server would publish them. */
async function forged(edit: (parts: readonly Part[]) => readonly Part[]): Promise<Evidence> {
  const opened = await openRecording(running.recording, { isRunning: true });
  if (!opened.ok) throw new Error(opened.error.problem);
  const parts = ended.parts.slice(0, 1 + opened.value.segmentCount);
  const { recording, finalHash: hash } = seal(edit(parts));
  return { ...withPublished({ hash, recordingBytes: recording.length }), recording };
}

describe('a match that goes on', () => {
  test('fits as far as it is public: cash-outs are checked, the rest is not known yet', async () => {
    expect(first).toMatchObject({ outcome: 'cashout' });
    const { isRight, wrong, open, soFar, line } = await verify(running);
    expect({ isRight, wrong, open }).toEqual({ isRight: false, wrong: undefined, open: [] });
    expect(soFar).toMatchObject({ seconds: 3 * EPOCH_SECONDS });
    const got = running.match.entries.map(({ amount }) => (amount === null ? undefined : BigInt(amount)));
    expect(running.match.entries.map(({ id }) => soFar!.settled.get(id))).toEqual(got);
    expect(got.filter((amount) => amount === undefined)).toHaveLength(2);
    expect(line).toContain('fits in its first 12 s');
    expect(line).toContain('2 entries were settled as played so far, 2 cash-outs among them');
    expect(line).toContain('Not yet: what happened after that');
    expect(line).toContain('what became of 2 entries that play on');
  });

  test('fits in every epoch, and as a whole after its end', async () => {
    for (const epochs of [1, 2, 3]) {
      const { wrong, open, soFar } = await verify(await whileItRan(ended, epochs));
      expect({ wrong, open, seconds: soFar?.seconds }).toEqual({
        wrong: undefined,
        open: [],
        seconds: epochs * EPOCH_SECONDS,
      });
    }
    expect(await verify(ended)).toMatchObject({ isRight: true, soFar: undefined });
  });

  test('can be checked without a node, with what depends on it left open', async () => {
    const { wrong, soFar } = await verifyMatch(running.match, running.recording, undefined);
    expect(wrong).toBeUndefined();
    expect(soFar!.settled.size).toBe(2);
  });

  test('says nothing about entries whose game was not over, whatever the server says of them', async () => {
    const told = change(running, (match) => {
      match.entries = match.entries.map((entry) =>
        entry.outcome === null ? { ...entry, outcome: 'killed', amount: '0' } : entry,
      );
    });
    const { wrong, soFar } = await verify(told);
    expect(wrong).toBeUndefined();
    expect(soFar!.settled.size).toBe(2);
  });

  test('is open, not right, while a game that is over was not settled, or is not listed', async () => {
    const unsettled = change(running, (match) => {
      match.entries[0] = { ...match.entries[0]!, outcome: null, amount: null, payout: null };
    });
    expect((await verify(unsettled)).open).toEqual([
      `the game of entry ${first!.id} is over, but nobody says what it got`,
    ]);
    const unlisted = change(running, (match) => {
      match.entries = match.entries.slice(1);
      match.entryCount--;
    });
    expect((await verify(unlisted)).open).toEqual([`entry ${first!.id} has played, but is not listed`]);
  });
});

describe('26: an operator who shows a running match', () => {
  test('with another amount for a cash-out is found', async () => {
    const lied = change(running, (match) => {
      const { payout } = match.entries[0]!;
      match.entries[0] = { ...match.entries[0]!, amount: '1', payout: { ...payout!, amount: '1' } };
    });
    expect((await verify(lied)).wrong).toMatchObject({
      check: 'settlement',
      what: expect.stringContaining(`entry ${first!.id} ends as cashout with`),
    });
  });

  test('with a cash-out that the chain did not pay so is found', async () => {
    const claims = new Map(ended.chain.claims);
    const name = first!.payout!.signature!;
    const claim = claims.get(name)!;
    claims.set(name, { ...claim, payments: claim.payments.map((one) => ({ ...one, amount: 1n })) });
    const { wrong } = await verify({ ...running, chain: { ...running.chain, claims } });
    expect(wrong).toMatchObject({ check: 'payments' });
  });

  const known = lastSecret(numberedKey(6));
  test.each([
    ['a changed secret', toHex(secretOf(known, 2)).replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
    ['the secret of an earlier epoch', toHex(secretOf(known, 1))],
    ['a secret of another chain', toHex(secretOf(lastSecret(numberedKey(7)), 2))],
  ])('with %s is found', async (_, secret) => {
    expect((await verify(withPublished({ secret }))).wrong).toMatchObject({ check: 'commitment' });
  });

  test('with another chain of secrets, and the commitment to it, is found', async () => {
    const other = lastSecret(numberedKey(7));
    const commitment = toHex(commitmentOf(secretOf(other, 0)));
    const swapped = change(withPublished({ secret: toHex(secretOf(other, 2)) }), (match) =>
      Object.assign(match, { commitment }),
    );
    expect((await verify(swapped)).wrong).toMatchObject({ check: 'recording' });
  });

  test.each<[string, (parts: readonly Part[]) => readonly Part[], object]>([
    ['left out', (parts) => parts.toSpliced(2, 1), { check: 'replay' }],
    ['changed', ([header, part, ...rest]) => [header!, withoutJoin(part!), ...rest], { check: 'replay' }],
    ['hidden at the end', (parts) => parts.slice(0, -1), { check: 'recording' }],
    ['added', (parts) => [...parts, ended.parts[parts.length]!], { check: 'recording' }],
  ])('with a part that was %s is found', async (_, edit, wrong) => {
    expect((await verify(await forged(edit))).wrong).toMatchObject(wrong);
  });

  test('with bytes that do not fit is found', async () => {
    const shorter = running.recording.subarray(0, running.recording.length - 1);
    expect((await verify({ ...running, recording: shorter })).wrong).toMatchObject({ check: 'recording' });
  });

  test('that was closed on the chain is found', async () => {
    const chain = { ...running.chain, anchors: ended.chain.anchors };
    expect((await verify({ ...running, chain })).wrong).toMatchObject({
      check: 'hashes',
      what: 'it was closed on the chain, but is said to run',
    });
  });
});

function withoutJoin({ kind, body }: Part): Part {
  const segment = readSegment(body);
  if (!segment.ok) throw new Error(segment.error.problem);
  return { kind, body: writeSegment({ ...segment.value, commands: segment.value.commands.slice(1) }) };
}
