import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@engulf/chain/accounts/pdas';
import {
  address,
  type Blockhash,
  generateKeyPairSigner,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClaimSignerDeps, createClaimSigner } from './claim-signer.ts';
import { openFileLog } from './file-log.ts';
import type { Batch, BatchReward, Signer } from './signer.ts';

const SOL = 1_000_000_000n;
const LIMITS = {
  sol: { payout: 10n * SOL, lobbyHour: 25n * SOL, hour: 40n * SOL, day: 60n * SOL },
  tokens: {},
};

let folder: string;
let key: KeyPairSigner;
let programId: Batch['programId'];
let nowMs: number;
let close: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-signer-'));
  key = await generateKeyPairSigner();
  programId = (await generateKeyPairSigner()).address;
  nowMs = 1_800_000_000_000;
  close = () => {};
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opening a second one is like a restart: all that is left is the file. */
function openSigner(changes: Partial<ClaimSignerDeps> = {}): Signer {
  close();
  const log = openFileLog(join(folder, 'log'), () => nowMs);
  close = log.close;
  return createClaimSigner({
    keys: { superAdmin: key },
    programId,
    limits: LIMITS,
    maxPriorityFeeLamports: 1_000n,
    log,
    releasesOf: ({ isReleased }) => (isReleased ? 1 : 0),
    nowMs: () => nowMs,
    ...changes,
  });
}

async function newReward(amount: bigint, changes: Partial<BatchReward> = {}): Promise<BatchReward> {
  const player = (await generateKeyPairSigner()).address;
  return {
    payoutId: randomUUID(),
    player,
    amount,
    isReleased: false,
    ...changes,
  };
}

async function newBatch(amounts: readonly bigint[], changes: Partial<Batch> = {}): Promise<Batch> {
  return {
    programId,
    superAdmin: key.address,
    lobbyId: 1n,
    rewards: await Promise.all(amounts.map((amount) => newReward(amount))),
    batchId: randomUUID(),
    proofs: [],
    lifetime: { blockhash: key.address as string as Blockhash, lastValidBlockHeight: 1_000n },
    computeUnits: 100_000,
    computePriceMicroLamports: 10_000n,
    ...changes,
  };
}

describe('the signer', () => {
  test('gives the same batch the same signature, also after a restart, and counts it once', async () => {
    const batch = await newBatch([10n * SOL, 10n * SOL]);
    const first = await openSigner().sign(batch);
    expect(first).toMatchObject({ kind: 'signed' });
    for (let time = 0; time < 3; time++) expect(await openSigner().sign(batch)).toEqual(first);
    expect(await openSigner().sign(await newBatch([5n * SOL]))).toMatchObject({ kind: 'signed' });
  });

  test('signs with the payout key what names it, in order only, and nothing that names another', async () => {
    const payoutKey = await generateKeyPairSigner();
    const signer = openSigner({ keys: { payoutKey } });
    expect(await signer.keys()).toEqual({ payoutKey: payoutKey.address });
    const terms = { superAdmin: programId, payoutKey: payoutKey.address, number: 0n };
    const batch = await newBatch([SOL], terms);
    const answer = await signer.sign(batch);
    if (answer.kind !== 'signed') throw new Error('refused');
    const { signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(answer.wire));
    expect(Object.keys(signatures)).toEqual([payoutKey.address]);
    const { number: _, ...unordered } = await newBatch([SOL], terms);
    await expect(signer.sign(unordered)).rejects.toThrow('in order only');
    const foreign = await newBatch([SOL], { ...terms, payoutKey: key.address });
    await expect(signer.sign(foreign)).rejects.toThrow(`the key is that of ${payoutKey.address}`);
    const bySuperAdmin = await newBatch([SOL], { superAdmin: payoutKey.address, number: 0n });
    await expect(signer.sign(bySuperAdmin)).rejects.toThrow('the key is that of nobody');
    // Its limits hold beside those of the chain.
    expect(await signer.sign(await newBatch([11n * SOL], terms))).toMatchObject({ reason: 'over-limit' });
  });

  test('refuses what exceeds a limit and names each payout and its limit', async () => {
    const signer = openSigner();
    const batch = await newBatch([11n * SOL, 10n * SOL, 10n * SOL, 10n * SOL, 5n * SOL]);
    const [tooLarge, , , third] = batch.rewards;
    expect(await signer.sign(batch)).toEqual({
      kind: 'refused',
      reason: 'over-limit',
      excess: [
        { payoutId: tooLarge!.payoutId, limit: 'payout' },
        { payoutId: third!.payoutId, limit: 'lobby-hour' },
      ],
    });
    expect(await signer.sign(await newBatch([10n * SOL, 10n * SOL, 5n * SOL]))).toMatchObject({
      kind: 'signed',
    });
    const elsewhere = await newBatch([10n * SOL, 6n * SOL], { lobbyId: 2n });
    expect(await signer.sign(elsewhere)).toMatchObject({
      excess: [{ payoutId: elsewhere.rewards[1]!.payoutId, limit: 'hour' }],
    });
  });

  test('counts the last hour, and a restart or a clock that steps back does not reset it', async () => {
    expect(await openSigner().sign(await newBatch([10n * SOL, 10n * SOL, 5n * SOL]))).toMatchObject({
      kind: 'signed',
    });
    const more = () => newBatch([SOL]);
    expect(await openSigner().sign(await more())).toMatchObject({ reason: 'over-limit' });
    nowMs -= 600_000;
    expect(await openSigner().sign(await more())).toMatchObject({ reason: 'over-limit' });
    nowMs += 600_000 + 3_599_000;
    expect(await openSigner().sign(await more())).toMatchObject({ reason: 'over-limit' });
    nowMs += 1_001;
    expect(await openSigner().sign(await more())).toMatchObject({ kind: 'signed' });
  });

  test('never signs a batch that it refused, so that its payouts can be paid by another', async () => {
    const full = await newBatch([10n * SOL, 10n * SOL, 5n * SOL]);
    const late = await newBatch([SOL]);
    await openSigner().sign(full);
    const refusal = await openSigner().sign(late);
    nowMs += 7_200_000;
    expect(await openSigner().sign(late)).toEqual(refusal);
  });

  test('signs what a person released in spite of the limits, and does not count it', async () => {
    const signer = openSigner();
    const released = await newReward(100n * SOL, { isReleased: true });
    expect(await signer.sign(await newBatch([], { rewards: [released] }))).toMatchObject({ kind: 'signed' });
    expect(await signer.sign(await newBatch([10n * SOL]))).toMatchObject({ kind: 'signed' });
  });

  test('refuses a payout again while an earlier claim for it may still land', async () => {
    const signer = openSigner();
    const batch = await newBatch([SOL]);
    await signer.sign(batch);
    const again = (lastValidBlockHeight: bigint) => ({
      ...batch,
      batchId: randomUUID(),
      lifetime: { ...batch.lifetime, lastValidBlockHeight },
    });
    expect(await signer.sign(again(1_150n))).toMatchObject({ reason: 'signed-before' });
    expect(await signer.sign(again(1_151n))).toMatchObject({ kind: 'signed' });
  });

  test('signs a payout again at once under the number of the earlier claim, of which the chain pays one', async () => {
    const batch = await newBatch([SOL], { number: 7n });
    expect(await openSigner().sign(batch)).toMatchObject({ kind: 'signed' });
    const again = (number: bigint, lobbyId = 1n) => ({ ...batch, batchId: randomUUID(), number, lobbyId });
    expect(await openSigner().sign(again(7n))).toMatchObject({ kind: 'signed' });
    expect(await openSigner().sign(again(8n))).toMatchObject({ reason: 'signed-before' });
    expect(await openSigner().sign(again(7n, 2n))).toMatchObject({ reason: 'signed-before' });
  });

  test('signs nothing without a number for a lobby once it has signed by numbers', async () => {
    await openSigner().sign(await newBatch([SOL], { number: 0n }));
    expect(await openSigner().sign(await newBatch([SOL]))).toMatchObject({ reason: 'without-number' });
    const other = await newBatch([SOL], { lobbyId: 2n });
    expect(await openSigner().sign(other)).toMatchObject({ kind: 'signed' });
  });

  test('refuses a priority fee that is too high', async () => {
    const batch = await newBatch([SOL], { computePriceMicroLamports: 10_001n });
    expect(await openSigner().sign(batch)).toMatchObject({ reason: 'fee-too-high' });
  });

  test('signs for its program and key only, and no second description of a batch', async () => {
    const signer = openSigner();
    const other = (await generateKeyPairSigner()).address;
    await expect(signer.sign(await newBatch([SOL], { programId: other }))).rejects.toThrow('another program');
    await expect(signer.sign(await newBatch([SOL], { superAdmin: other }))).rejects.toThrow('the key is');
    const batch = await newBatch([SOL]);
    await signer.sign(batch);
    const redirected = { ...batch, rewards: [{ ...batch.rewards[0]!, player: other }] };
    await expect(signer.sign(redirected)).rejects.toThrow('another description');
    const twice = { ...batch, batchId: randomUUID(), rewards: [batch.rewards[0]!, batch.rewards[0]!] };
    await expect(signer.sign(twice)).rejects.toThrow('not valid');
  });

  test('signs nothing for a token that is not listed, and keeps tokens and SOL apart', async () => {
    const mint = (await generateKeyPairSigner()).address;
    const token = { mint, program: TOKEN_2022_PROGRAM_ADDRESS };
    expect(await openSigner().sign(await newBatch([1n], { token }))).toMatchObject({
      reason: 'token-not-listed',
    });
    const tokens = { [mint]: { payout: 5n, lobbyHour: 5n, hour: 5n, day: 5n } };
    const limited = openSigner({ limits: { ...LIMITS, tokens } });
    expect(await limited.sign(await newBatch([6n], { token }))).toMatchObject({ reason: 'over-limit' });
    expect(await limited.sign(await newBatch([5n], { token }))).toMatchObject({ kind: 'signed' });
    expect(await limited.sign(await newBatch([SOL]))).toMatchObject({ kind: 'signed' });
  });

  test('counts wrapped SOL as SOL', async () => {
    const mint = address('So11111111111111111111111111111111111111112');
    const token = { mint, program: TOKEN_2022_PROGRAM_ADDRESS };
    await openSigner().sign(await newBatch([10n * SOL, 10n * SOL], { token }));
    const excess = [{ limit: 'lobby-hour' }];
    expect(await openSigner().sign(await newBatch([6n * SOL]))).toMatchObject({ excess });
  });

  test('limits a day besides the hour', async () => {
    for (const lobbyId of [1n, 2n, 3n]) {
      const batch = await newBatch([10n * SOL, 10n * SOL], { lobbyId });
      expect(await openSigner().sign(batch)).toMatchObject({ kind: 'signed' });
      nowMs += 3_600_001;
    }
    expect(await openSigner().sign(await newBatch([1n]))).toMatchObject({ excess: [{ limit: 'day' }] });
    nowMs += 22 * 3_600_000;
    expect(await openSigner().sign(await newBatch([1n]))).toMatchObject({ kind: 'signed' });
  });

  test('signs what a person released once for each time that it was listed, and remembers that for good', async () => {
    const rewards = [await newReward(100n * SOL, { isReleased: true })];
    const again = (height: bigint, number?: bigint) =>
      newBatch([], {
        rewards,
        ...(number !== undefined && { number }),
        lifetime: { blockhash: key.address as string as Blockhash, lastValidBlockHeight: height },
      });
    expect(await openSigner().sign(await again(1_000n, 3n))).toMatchObject({ kind: 'signed' });
    nowMs += 400 * 24 * 3_600_000;
    // A worker that was broken into may name any height.
    expect(await openSigner().sign(await again(9_000_000n, 4n))).toMatchObject({ reason: 'signed-before' });
    expect(await openSigner().sign(await again(9_000_000n, 3n))).toMatchObject({ kind: 'signed' });
    const listedTwice = openSigner({ releasesOf: () => 2 });
    expect(await listedTwice.sign(await again(9_000_200n, 4n))).toMatchObject({ kind: 'signed' });
    expect(await listedTwice.sign(await again(99_000_000n, 5n))).toMatchObject({ reason: 'signed-before' });
  });

  test('stops answering instead of filling its disk with refusals', async () => {
    const signer = openSigner();
    const tooMuch = await newBatch([11n * SOL]);
    for (let count = 0; count < 1_000; count++)
      expect(await signer.sign({ ...tooMuch, batchId: randomUUID() })).toMatchObject({ kind: 'refused' });
    await expect(signer.sign({ ...tooMuch, batchId: randomUUID() })).rejects.toThrow('Too much was refused');
    expect(await signer.sign(await newBatch([SOL]))).toMatchObject({ kind: 'signed' });
    nowMs += 25 * 3_600_000;
    openSigner();
    expect(readFileSync(join(folder, 'log'), 'utf8').split('\n')).toHaveLength(2);
  });

  test('remembers all that it agreed to when the disk was full', async () => {
    const path = join(folder, 'log');
    const script = `
      import { openFileLog } from ${JSON.stringify(import.meta.resolve('./file-log.ts'))};
      const log = openFileLog(${JSON.stringify(path)}, () => ${nowMs});
      const rest = { descriptionHash: '', lobbyId: 1n, number: null, mint: null, amount: 1n, payoutIds: [], releasedIds: [], refusal: null };
      for (let n = 0; n < 40; n++) {
        const entry = { ...rest, batchId: 'batch ' + n, lastValidBlockHeight: 1n, at: new Date(${nowMs}) };
        await log.exclusively((access) => access.add(entry)).then(() => console.log(entry.batchId), () => {});
      }`;
    // Files of this process end at a few kilobytes, as they would on a full disk.
    const limited = [
      '-c',
      'ulimit -f 2; exec "$0" --input-type=module --eval "$1"',
      process.execPath,
      script,
    ];
    const agreed = execFileSync('sh', limited, { encoding: 'utf8' }).trim().split('\n');
    expect(agreed.length).toBeGreaterThan(2);
    expect(agreed.length).toBeLessThan(40);
    const log = openFileLog(path, () => nowMs);
    close = log.close;
    const known = agreed.map((batchId) => log.exclusively((access) => access.find(batchId)));
    expect((await Promise.all(known)).filter((entry) => !entry)).toEqual([]);
  });

  test('starts again after a crash in the middle of a line of its log', async () => {
    const batch = await newBatch([SOL]);
    const first = await openSigner().sign(batch);
    close();
    close = () => {};
    appendFileSync(join(folder, 'log'), '{"batchId":"cut o');
    expect(await openSigner().sign(batch)).toEqual(first);
    expect(await openSigner().sign(await newBatch([SOL]))).toMatchObject({ kind: 'signed' });
  });
});
