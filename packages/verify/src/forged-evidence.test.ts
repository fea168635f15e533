import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { readSegment, writeSegment } from '@engulf/sim/recording/segment';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeenClaim, Unseen } from './chain-facts.ts';
import { inflate } from './inflate.ts';
import { openRecording } from './open-recording.ts';
import { change, type Draft, evidence, verify } from './testing/live-match.ts';
import { playMatch, seal } from './testing/played-match.ts';

const toBase64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** Another version is not called damaged, but left open: forgery 16. */
const VERSION_BYTE = 3;

/** Another hexadecimal digit. */
const flipDigit = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

describe('a forgery of the evidence', () => {
  test('of any bit of the recording is found', async () => {
    const bits = fc.nat(evidence.recording.length * 8 - 1).filter((bit) => bit >> 3 !== VERSION_BYTE);
    await fc.assert(
      fc.asyncProperty(bits, async (bit) => {
        const recording = evidence.recording.slice();
        recording[bit >> 3]! ^= 1 << (bit & 7);
        const { wrong } = await verify({ ...evidence, recording });
        expect(wrong).toMatchObject({ check: 'recording', what: expect.stringMatching(/at byte \d+/) });
      }),
      { numRuns: 300 },
    );
  });

  test('of the length of the recording is found', async () => {
    for (const length of [0, 1, 40, 200, evidence.recording.length - 1]) {
      const { wrong } = await verify({ ...evidence, recording: evidence.recording.slice(0, length) });
      expect(wrong?.check).toBe('recording');
    }
  });

  test.each<[string, string, (match: Draft) => unknown]>([
    ['the secret', 'commitment', (match) => Object.assign(match, { secret: flipDigit(match.secret!, 9) })],
    ['the secret, withheld', 'commitment', (match) => Object.assign(match, { secret: null })],
    [
      'the commitment',
      'recording',
      (match) => Object.assign(match, { commitment: flipDigit(match.commitment, 3) }),
    ],
    ['the rules', 'recording', (match) => Object.assign(match, { rules: match.rules.replace('25', '26') })],
    [
      'the final hash',
      'recording',
      (match) => Object.assign(match, { finalHash: flipDigit(match.finalHash!, 0) }),
    ],
    ['the final tick', 'recording', (match) => Object.assign(match, { finalTick: match.finalTick! + 1 })],
    ['the block', 'block', (match) => Object.assign(match.block!, { blockhash: '1'.repeat(32) })],
    [
      'the time of the commitment',
      'block',
      (match) => Object.assign(match, { committedAt: new Date(400_000).toISOString() }),
    ],
    ['the time of the commitment, unreadable', 'block', (match) => Object.assign(match, { committedAt: '' })],
    ['the named slot', 'block', (match) => Object.assign(match, { targetSlot: '99999999999' })],
    [
      'the spill',
      'settlement',
      (match) => Object.assign(match, { spillAfter: `${BigInt(match.spillAfter!) + 1n}` }),
    ],
    ['an entry that is not shown', 'entries', (match) => match.entries.pop()],
    ['an entry that is shown twice', 'entries', (match) => match.entries.splice(0, 1, match.entries[1]!)],
    [
      'a missing entry',
      'settlement',
      (match) => Object.assign(match, { entries: match.entries.slice(1), entryCount: match.entryCount - 1 }),
    ],
    [
      'an amount',
      'settlement',
      (match) => {
        const entry = match.entries.find(({ payout }) => payout)!;
        const amount = `${BigInt(entry.amount!) + 1n}`;
        Object.assign(entry, { amount });
        Object.assign(entry.payout!, { amount });
      },
    ],
    [
      'an amount that is settled, but not paid',
      'settlement',
      (match) => Object.assign(match.entries.find(({ payout }) => payout)!, { payout: null }),
    ],
    ['an outcome', 'settlement', (match) => Object.assign(match.entries[0]!, { outcome: 'unclaimed' })],
    ['a stake', 'entries', (match) => Object.assign(match.entries[0]!, { stake: '1001' })],
    [
      'the wallet of a payout',
      'entries',
      (match) =>
        Object.assign(match.entries.find(({ payout }) => payout)!.payout!, { wallet: '1'.repeat(32) }),
    ],
    [
      'the wallet of an entry and of its payout',
      'entries',
      (match) => {
        const { payment, payout } = match.entries.find((entry) => entry.payout)!;
        Object.assign(payment!, { wallet: '1'.repeat(32) });
        Object.assign(payout!, { wallet: '1'.repeat(32) });
      },
    ],
    [
      'a payment that pays for two entries',
      'entries',
      (match) => Object.assign(match.entries[1]!, { payment: match.entries[0]!.payment, payout: null }),
    ],
    [
      'an entry that nobody has paid for',
      'entries',
      (match) => Object.assign(match.entries[0]!, { payment: null }),
    ],
  ])('of %s is found', async (_name, check, edit) => {
    const { wrong, line } = await verify(change(evidence, edit));
    expect(wrong?.check).toBe(check);
    expect(line).toContain('DOES NOT FIT');
  });

  test('in which one payment plays twice is found', async () => {
    const join = { what: 'join' as const, stake: 1_000n };
    const honest = playMatch({ seed: 5, moves: [[join, join], ...Array.from({ length: 300 }, () => [])] });
    expect(await verify(honest)).toMatchObject({ isRight: true });
    const [first, second] = honest.match.entries;
    const parts = honest.parts.map(({ kind, body }) => {
      const read = kind === 'segment' ? readSegment(body) : undefined;
      if (!read?.ok) return { kind, body };
      const commands = read.value.commands.map(({ after, command }) => {
        const isFirst = command.type === 'join' && command.entry === first!.id;
        return { after, command: isFirst ? { ...command, entry: second!.id as EntryId } : command };
      });
      return { kind, body: writeSegment({ ...read.value, commands }) };
    });
    const { recording, finalHash } = seal(parts);
    const forged = change(honest, (match) => {
      Object.assign(match, { finalHash, entries: match.entries.slice(1), entryCount: 1 });
    });
    const claims = new Map(
      [...honest.chain.claims].map(([signature, claim]) => {
        const memo = claim.memo.replace(toBase64url(honest.match.finalHash!), toBase64url(finalHash));
        return [signature, { ...claim, memo }] as const;
      }),
    );
    expect((await verify({ ...forged, recording, chain: { ...honest.chain, claims } })).wrong).toEqual({
      check: 'replay',
      what: `entry ${second!.id} joins twice, first at tick 1`,
    });
  });

  test('of a match for money in which bots play is found', async () => {
    const join = { what: 'join' as const, stake: 1_000n };
    const moves = [[join], ...Array.from({ length: 300 }, () => [])];
    expect((await verify(playMatch({ seed: 6, moves }, { bots: 3 }))).wrong).toEqual({
      check: 'replay',
      what: 'bots have played in a match for money',
    });
  });

  test("of the chain's answers is found", async () => {
    const { chain } = evidence;
    const [[signature, claim]] = [...chain.claims] as [[string, SeenClaim]];
    const withClaim = (changed: SeenClaim | Unseen) => ({
      ...evidence,
      chain: {
        ...chain,
        claims: new Map<string, SeenClaim | Unseen>([...chain.claims, [signature, changed]]),
      },
    });
    const [payment] = claim.payments;
    const paidLess = { ...claim, payments: [{ ...payment!, amount: payment!.amount - 1n }] };
    expect((await verify(withClaim('missing'))).wrong?.check).toBe('payments');
    expect((await verify(withClaim(paidLess))).wrong?.check).toBe('payments');
    expect((await verify(withClaim({ ...claim, memo: 'batch' }))).wrong?.what).toContain('commitment');
    const otherHash = claim.memo.slice(0, -3) + (claim.memo.endsWith('AAA') ? 'BBB' : 'AAA');
    expect((await verify(withClaim({ ...claim, memo: otherHash }))).wrong?.what).toContain('another hash');
    const block = { ...chain.block!, blockhash: '1'.repeat(32) };
    expect((await verify({ ...evidence, chain: { ...chain, block } })).wrong?.check).toBe('block');
  });

  test('with recomputed hashes is found by the replay, which names the first wrong tick', async () => {
    const moves = Array.from({ length: 400 }, (_, tick) => [
      tick === 0
        ? { what: 'join' as const, stake: 1_000n }
        : { what: 'steer' as const, who: 0, x: 200 + (tick % 7) * 40, y: 100 },
    ]);
    const honest = playMatch({ seed: 3, moves });
    expect((await verify(honest)).isRight).toBe(true);
    const parts = honest.parts.map(({ kind, body }, index) => {
      const read = kind === 'segment' && index === 3 ? readSegment(body) : undefined;
      if (!read?.ok) return { kind, body };
      const [track] = read.value.tracks;
      const x = track!.x.map((value) => value + 40);
      return { kind, body: writeSegment({ ...read.value, tracks: [{ ...track!, x }] }) };
    });
    const { recording, finalHash } = seal(parts);
    const forged = change(honest, (match) => Object.assign(match, { finalHash }));
    expect((await verify({ ...forged, recording })).wrong).toEqual({
      check: 'replay',
      what: 'the state differs, first at tick 251',
    });
  });
});

describe('hostile bytes', () => {
  test('are refused without a hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect((await openRecording(bytes)).ok).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('that unpack to more than they announce are dropped', async () => {
    const { deflateRawSync } = await import('node:zlib');
    const bomb = new Uint8Array(deflateRawSync(new Uint8Array(5_000_000)));
    expect(await inflate(bomb, 1_000)).toBeUndefined();
    expect(await inflate(new Uint8Array([1, 2, 3, 4]), 1_000)).toBeUndefined();
    expect(await inflate(bomb.slice(0, 100), 5_000_000)).toBeUndefined();
  });
});
