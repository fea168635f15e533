import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { readHeader, writeHeader } from '@engulf/sim/recording/header';
import { receiptBytes } from '@engulf/sim/recording/receipt';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { verifyCommand } from '../cli/verify-command.ts';
import { checkReceipts } from './check-receipts.ts';
import type { KeptMatch } from './kept-receipts.ts';
import { openRecording } from './open-recording.ts';
import { liveMatch } from './testing/live-match.ts';
import { type Part, playMatch, seal } from './testing/played-match.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const privateKey = createPrivateKey({
  key: Buffer.concat([PKCS8, numberedKey(7_000)]),
  format: 'der',
  type: 'pkcs8',
});
const receiptKey = new Uint8Array(
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url'),
);

const [sample] = fc.sample(liveMatch, { seed: 12, numRuns: 1 });
const played = playMatch(sample!);
const parts = withKey(played.parts);
const { recording, finalHash } = seal(parts);
const match = { ...played.match, finalHash };
const segmentCount = parts.length - 2;

function withKey([header, ...rest]: readonly Part[]): Part[] {
  const read = readHeader(header!.body, RECORDING_VERSION);
  if (!read.ok) throw new Error(read.error.problem);
  const bond = { ...read.value.bond, receiptKey };
  return [{ kind: 'header', body: writeHeader({ ...read.value, bond }) }, ...rest];
}

async function open(bytes: Uint8Array = recording) {
  const opened = await openRecording(bytes);
  if (!opened.ok) throw new Error(opened.error.problem);
  return opened.value;
}

function receipt(part: number, chain: Uint8Array, key = privateKey) {
  const about = { part, tick: 125 * (part - 1), slot: 1_000 + 12 * part };
  const blockhash = numberedKey(part);
  const bytes = receiptBytes(Buffer.from(match.commitment, 'hex'), {
    ...about,
    slot: BigInt(about.slot),
    chain,
    blockhash,
  });
  return {
    ...about,
    chain: toHex(chain),
    blockhash: toHex(blockhash),
    signature: sign(null, bytes, key).toString('hex'),
  };
}

/** Of the last frame. */
function lengthOfEnd(): number {
  return recording.length - seal(parts.slice(0, -1)).recording.length;
}

const keep = (...receipts: KeptMatch['receipts']): KeptMatch => ({
  matchId: match.id,
  commitment: match.commitment,
  receipts,
});

describe('receipts', () => {
  test('that are in the recording fit, and say how long the play took', async () => {
    const opened = await open();
    expect(segmentCount).toBeGreaterThan(1);
    const kept = keep(...opened.chains.slice(1, -1).map((chain, index) => receipt(index + 2, chain)));
    expect(await checkReceipts(match, opened, kept)).toEqual({
      fits: expect.stringMatching(/\d receipts .* are in it, \d+ s of play in about \d+ s of the chain/),
    });
  });

  test('of another recording prove that it was changed', async () => {
    const kept = keep(receipt(2, numberedKey(5)));
    expect(await checkReceipts(match, await open(), kept)).toEqual({
      wrong: expect.stringContaining('signed for another recording up to tick 125'),
    });
  });

  test('prove that a recording was cut before them', async () => {
    const opened = await open();
    const kept = keep(receipt(segmentCount + 1, opened.chains[segmentCount]!));
    const cut = seal([...parts.slice(0, -2), parts.at(-1)!]);
    expect(await checkReceipts(match, await open(cut.recording), kept)).toEqual({
      wrong: expect.stringContaining('the recording was cut after'),
    });
  });

  test('of later minutes cannot be compared while the match runs, and show what is withheld', async () => {
    const shown = recording.slice(0, recording.length - lengthOfEnd());
    const opened = await openRecording(shown, { isRunning: true });
    if (!opened.ok) throw new Error(opened.error.problem);
    const running = { ...match, state: 'running' as const };
    const inIt = receipt(2, opened.value.chains[1]!);
    const ahead = receipt(segmentCount + 2, numberedKey(5));
    expect(await checkReceipts(running, opened.value, keep(inIt, ahead))).toMatchObject({
      fits: expect.stringContaining('1 receipts'),
      open: [],
      later: ['whether 1 receipt of later minutes will be in it'],
    });
    const forged = receipt(2, numberedKey(5));
    expect(await checkReceipts(running, opened.value, keep(forged, ahead))).toHaveProperty('wrong');
    // More than an epoch and eleven minutes later, the next ten minutes are public.
    const parts = 2 + (1_260 * 25) / 125;
    const much = receipt(segmentCount + parts, numberedKey(5));
    expect(await checkReceipts(running, opened.value, keep(inIt, much))).toMatchObject({
      open: [expect.stringContaining('more should be')],
    });
  });

  test('prove that the block of a wave was known when it was named', async () => {
    const opened = await open();
    const kept = keep(receipt(2, opened.chains[1]!));
    const wave = (tick: number, decides: bigint) => [{ number: 1, tick, decides, block: undefined }];
    const { beacons, stepsPerSecond } = opened.header.rules;
    const tick = 125 + beacons.pledgeSeconds * stepsPerSecond;
    const known = await checkReceipts(match, opened, kept, wave(tick, 1_024n));
    expect(known).toEqual({ wrong: expect.stringContaining('slot 1024 of wave 1 had passed') });
    for (const honest of [wave(tick, 1_025n), wave(tick - 1, 1_024n)])
      expect(await checkReceipts(match, opened, kept, honest)).toHaveProperty('fits');
  });

  test('that the key has not signed prove nothing, and another commitment than was sent does', async () => {
    const stranger = createPrivateKey({
      key: Buffer.concat([PKCS8, numberedKey(7_001)]),
      format: 'der',
      type: 'pkcs8',
    });
    const made = keep(receipt(2, numberedKey(5), stranger));
    expect(await checkReceipts(match, await open(), made)).toHaveProperty('fits');
    const other = { ...keep(), commitment: 'ab'.repeat(32) };
    expect(await checkReceipts(match, await open(), other)).toHaveProperty('wrong');
  });
});

describe('npm run verify -- --receipt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-receipts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  async function run(...args: string[]) {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      const code = await verifyCommand(args);
      return { code, text: print.mock.calls.flat().join('\n') };
    } finally {
      print.mockRestore();
    }
  }

  test('prints a proof from two receipts that contradict each other, without a network', async () => {
    const key = toHex(receiptKey);
    const one = file('one.json', JSON.stringify({ ...keep(receipt(2, numberedKey(5))), receiptKey: key }));
    const two = file('two.json', JSON.stringify(keep(receipt(2, numberedKey(6)))));
    const { code, text } = await run('--receipt', one, '--receipt', two);
    expect(code).toBe(1);
    expect(text).toContain('PROOF OF FRAUD: the server signed two recordings of 2 parts');
    expect(text).toContain(toHex(numberedKey(6)));
  });

  test('compares receipts with a recording', async () => {
    const opened = await open();
    const kept = file('kept.json', JSON.stringify(keep(receipt(2, opened.chains[1]!))));
    const whole = file('whole.recording', recording);
    expect(await run('--receipt', kept, whole)).toEqual({
      code: 0,
      text: expect.stringContaining('1 receipts fit the recording'),
    });
    const empty = file('cut.recording', seal([parts[0]!, parts.at(-1)!]).recording);
    expect(await run('--receipt', kept, empty)).toEqual({
      code: 1,
      text: expect.stringContaining('PROOF OF FRAUD: a receipt was signed for 2 parts'),
    });
  });
});
