import { createPublicKey, verify } from 'node:crypto';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { keysUpTo, lastSecret, toHex } from '@engulf/sim/keys';
import { readFrame } from '@engulf/sim/recording/frames';
import { writeHeader } from '@engulf/sim/recording/header';
import { receiptBytes } from '@engulf/sim/recording/receipt';
import { applyRecorded, startRecordedMatch, stepRecorded } from '@engulf/sim/recording/recorder';
import { standardRules } from '@engulf/sim/rules';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { startPaidServer } from '../../testing/paid-players.ts';
import { soon } from '../../testing/soon.ts';
import { matches } from '../platform/database/games.ts';
import { createMatchPreparer } from './prepare-match.ts';
import { createReceipts } from './receipts.ts';
import { partKey, type StoredPart } from './recording-parts.ts';
import { createRecordings } from './recordings.ts';
import { recoverMatch } from './recover-matches.ts';

const { context, lobby } = await startPaidServer();

async function prepare(isFree: boolean) {
  const preparer = createMatchPreparer(context);
  const prepared = await soon(async () => {
    const made = await preparer.prepare({ id: lobby.id, isFree }, standardRules);
    expect(made).toBeDefined();
    return made!;
  });
  preparer.forget(lobby.id);
  return prepared;
}

/** Records six seconds, and returns the stored segment. */
async function record({ id, secret, ...about }: Awaited<ReturnType<typeof prepare>>) {
  const recordings = createRecordings(context);
  const header = { matchId: id, ...about, spill: 0n, rules: standardRules };
  void recordings.recordPart(id, 'header', writeHeader(header));
  const segments: ReturnType<typeof recordings.recordPart>[] = [];
  const match = startRecordedMatch({ key: keysUpTo(lastSecret(secret), about.publicPart) }, (segment) =>
    segments.push(recordings.recordPart(id, 'segment', segment)),
  );
  applyRecorded(match, { type: 'join', stake: 5n });
  for (let tick = 0; tick < 150; tick++) stepRecorded(match);
  return (await segments[0])!;
}

async function issue(receipts: ReturnType<typeof createReceipts>, id: MatchId, stored: StoredPart) {
  return receipts.issue(id, stored, await receipts.nameBlock(id));
}

test('a receipt is signed by the key of the match, over the hash of what is stored', async () => {
  const prepared = await prepare(false);
  const stored = await record(prepared);
  const receipt = (await issue(createReceipts(context), prepared.id, stored))!;
  const bytes = receiptBytes(prepared.commitment, {
    part: receipt.part,
    tick: receipt.tick,
    slot: BigInt(receipt.slot),
    chain: Buffer.from(receipt.chain, 'hex'),
    blockhash: Buffer.from(receipt.blockhash, 'hex'),
  });
  const x = Buffer.from(prepared.bond.receiptKey!).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  expect(verify(null, bytes, key, Buffer.from(receipt.signature, 'hex'))).toBe(true);
  expect(receipt).toMatchObject({ part: 2, tick: 125 });
  expect(receipt.slot).toBeGreaterThan(Number(prepared.publicPart!.slot));
  const header = readFrame((await context.storage.get(partKey(prepared.id, 0)))!, 0);
  if (!header.ok) throw new Error(header.error.problem);
  const segment = readFrame((await context.storage.get(partKey(prepared.id, 1)))!, 0, header.value.frame);
  expect(segment.ok && toHex(segment.value.frame.chain)).toBe(receipt.chain);
  const [row] = await context.db.select().from(matches).where(eq(matches.id, prepared.id));
  expect(row!.storedHash).toBe(receipt.chain);
});

test('a receipt is issued while the node is away, and none where no money is at stake', async () => {
  const silent = withNode(context, { getLatestBlockhash: () => Promise.reject(new Error('ECONNREFUSED')) });
  const prepared = await prepare(false);
  const stored = await record(prepared);
  expect(await issue(createReceipts(silent), prepared.id, stored)).toMatchObject({ part: 2, slot: 0 });
  const free = await prepare(true);
  expect(await issue(createReceipts(context), free.id, await record(free))).toBeUndefined();
});

test('a segment that is stored late has a receipt of the block of its own time', async () => {
  let [nowMs, slot] = [context.nowMs(), 700n];
  const node = withNode(context, {
    getLatestBlockhash: async () => ({ context: { slot }, value: { blockhash: '1'.repeat(32) } }),
  });
  const receipts = createReceipts({ ...node, nowMs: () => nowMs });
  const prepared = await prepare(false);
  const block = await receipts.nameBlock(prepared.id);
  [nowMs, slot] = [nowMs + 60_000, 850n];
  expect(await receipts.issue(prepared.id, await record(prepared), block)).toMatchObject({ slot: 700 });
  expect(await receipts.nameBlock(prepared.id)).toMatchObject({ slot: 850n });
});

test('a process that was taken for dead promises nothing more once others begin to close the recording', async () => {
  const prepared = await prepare(false);
  const stored = await record(prepared);
  const receipts = createReceipts(context);
  expect(await issue(receipts, prepared.id, stored)).toBeDefined();
  const issued: unknown[] = [];
  const storage = {
    ...context.storage,
    get: async (key: string) => {
      issued.push(await issue(receipts, prepared.id, stored));
      return context.storage.get(key);
    },
  };
  await recoverMatch({ ...context, storage }, prepared.id);
  expect(issued.length).toBeGreaterThan(2);
  expect(issued.filter(Boolean)).toEqual([]);
  const [row] = await context.db.select().from(matches).where(eq(matches.id, prepared.id));
  expect(row).toMatchObject({ isCut: true, partCount: stored.partCount + 1 });
});
