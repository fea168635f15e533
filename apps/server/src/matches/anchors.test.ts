import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { listAnchors, readAnchor } from '@engulf/chain/anchors/read-anchors';
import { listTransactions } from '@engulf/chain/node/lobby-history';
import { toHex } from '@engulf/sim/keys';
import { standardRules } from '@engulf/sim/rules';
import { generateKeyPairSigner, type Signature } from '@solana/kit';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { fakeNode, withNode, withNodes } from '../../testing/fake-node.ts';
import { startPaidServer } from '../../testing/paid-players.ts';
import { soon } from '../../testing/soon.ts';
import type { Context } from '../platform/context.ts';
import { matchAnchors, matches } from '../platform/database/games.ts';
import { openAnchors, readCommit, sendAnchor } from './anchors.ts';
import { endMatch } from './match-states.ts';
import { createMatchPreparer, type PreparedMatch } from './prepare-match.ts';
import { orphanedMatches, recoverMatch } from './recover-matches.ts';

const { server, context, lobby } = await startPaidServer();
const paid = { id: lobby.id, isFree: false };

async function prepare(by: Context = context): Promise<PreparedMatch & { forget(): void }> {
  const preparer = createMatchPreparer(by);
  return soon(async () => {
    const prepared = await preparer.prepare(paid, standardRules);
    expect(prepared).toBeDefined();
    return { ...prepared!, forget: () => preparer.forget(lobby.id) };
  });
}

async function rowOf({ id }: Pick<PreparedMatch, 'id'>) {
  const [row] = await context.db.select().from(matches).where(eq(matches.id, id));
  return row!;
}

/** As the worker does it. */
async function sendAll(by: Context = context): Promise<void> {
  await soon(async () => {
    for (const key of await openAnchors(by)) await sendAnchor(by, key);
    expect(await openAnchors(by)).toEqual([]);
  });
}

const published = () =>
  listAnchors(context.chain.rpc, context.chain.anchorKey!.address, { commitment: '', previous: '' });

// Before others: nothing may be left of another preparation.
test('the next match is ready when one ends, and a restarted process takes it', async () => {
  const preparer = createMatchPreparer(context);
  const first = await soon(async () => {
    const made = await preparer.prepare(paid, standardRules);
    expect(made).toBeDefined();
    return made!;
  });
  const spare = await soon(async () => {
    const [row] = await context.db
      .select()
      .from(matches)
      .where(eq(matches.previousCommitment, toHex(first.commitment)));
    expect(row?.publicSlot).toEqual(expect.any(BigInt));
    return row!;
  });
  expect(spare.startedAt).toBeNull();
  preparer.forget(lobby.id);
  const restarted = server.afterRestart();
  expect(await orphanedMatches(restarted)).not.toContain(spare.id);
  const next = await prepare(restarted);
  next.forget();
  expect(next.id).toBe(spare.id);
  expect(toHex(next.bond.anchor!.previous)).toBe(toHex(first.commitment));
  expect(await rowOf(next)).toMatchObject({ heldBy: restarted.processId });
});

test('a commitment is on the chain, listed under its lobby, and its slot decides the block', async () => {
  const prepared = await prepare();
  prepared.forget();
  const row = await rowOf(prepared);
  const { signature, slot } = (await readCommit(context, row.id))!;
  expect(row.targetSlot).toBe(slot! + 32n);
  expect(prepared.publicPart!.slot).toBeGreaterThanOrEqual(slot! + 32n);
  expect(prepared.bond.anchor).not.toBeNull();
  const { rpc, programId } = context.chain;
  const account = await findLobbyConfig(programId, lobby.chainLobbyId!);
  const shown = await readAnchor(rpc, signature as Signature);
  expect(shown).toMatchObject({ slot, memo: { kind: 'commit', commitment: row.commitment } });
  expect(shown!.accounts).toContain(account);
  const listed = await listTransactions({ rpc, account, sinceSlot: 0n });
  expect(listed.map((one) => one.signature)).toContain(signature);
});

test('a spare under other rules is ended, and closed on the chain as never played', async () => {
  const spare = await prepare();
  spare.forget();
  await context.db
    .update(matches)
    .set({ startedAt: null, heldBy: 'gone', rules: '{}' })
    .where(eq(matches.id, spare.id));
  const restarted = server.afterRestart();
  const next = await prepare(restarted);
  next.forget();
  expect(next.id).not.toBe(spare.id);
  expect(await orphanedMatches(restarted)).toContain(spare.id);
  await recoverMatch(restarted, spare.id);
  await sendAll();
  const close = (await published()).find(
    ({ memo }) => memo.kind === 'close' && memo.commitment === toHex(spare.commitment),
  );
  expect(close?.memo).toMatchObject({ finalHash: undefined, spill: 0n });
});

test('the end of a match is on the chain with its hash and what it leaves', async () => {
  const prepared = await prepare();
  prepared.forget();
  const finalHash = 'ab'.repeat(32);
  const ending = { isCut: false, finalTick: 9, finalHash, spillAfter: 7n, partCount: 3, recordingBytes: 10 };
  await endMatch(context, prepared.id, ending);
  await sendAll();
  const memos = (await published()).map(({ memo }) => memo);
  expect(memos).toContainEqual({
    kind: 'close',
    commitment: toHex(prepared.commitment),
    finalHash,
    spill: 7n,
  });
});

test('is not on the chain because one of two nodes says so, and reaches it through the other', async () => {
  const prepared = await prepare();
  prepared.forget();
  const ending = { isCut: false, finalTick: 9, finalHash: 'cd'.repeat(32), partCount: 3, recordingBytes: 10 };
  await endMatch(context, prepared.id, { ...ending, spillAfter: 0n });
  const key = `${prepared.id} close`;
  const lying = fakeNode(context.chain.rpc, {
    sendTransaction: async () => 'taken, and thrown away',
    getSignatureStatuses: async () => ({
      context: { slot: 1n },
      value: [{ slot: 1n, err: null, confirmationStatus: 'finalized' }],
    }),
  });
  const slotOf = async () => {
    const [row] = await context.db
      .select({ slot: matchAnchors.slot })
      .from(matchAnchors)
      .where(and(eq(matchAnchors.matchId, prepared.id), eq(matchAnchors.kind, 'close')));
    return row!.slot;
  };
  await sendAnchor(withNodes(context, lying, context.chain.rpc), key);
  await sendAnchor(withNodes(context, lying, context.chain.rpc), key);
  expect(await slotOf()).toBeNull();
  await soon(async () => {
    await sendAnchor(context, key);
    expect(await slotOf()).toBeGreaterThan(1n);
  });
});

test('a process that dies between signing and sending leaves one transaction, not two', async () => {
  const dying = withNode(context, { sendTransaction: () => Promise.reject(new Error('killed')) });
  const used = await prepare();
  // What it prepares meanwhile is not to be taken for what comes now.
  await soon(async () => {
    const next = eq(matches.previousCommitment, toHex(used.commitment));
    expect(await context.db.select().from(matches).where(next)).toHaveLength(1);
  });
  used.forget();
  await context.db.update(matches).set({ heldBy: '' }).where(isNull(matches.startedAt));
  const preparer = createMatchPreparer(dying);
  await preparer.prepare(paid, standardRules);
  const key = await soon(async () => {
    const [row] = await context.db
      .select()
      .from(matchAnchors)
      .where(eq(matchAnchors.kind, 'commit'))
      .orderBy(desc(matchAnchors.createdAt))
      .limit(1);
    expect(row).toMatchObject({ slot: null, signature: expect.any(String) });
    return row!;
  });
  preparer.forget(lobby.id);
  const [one, two] = [server.afterRestart(), server.afterRestart()];
  const pending = `${key.matchId} commit`;
  await soon(async () => {
    await Promise.all([sendAnchor(one, pending), sendAnchor(two, pending)]);
    expect((await readCommit(context, key.matchId))!.slot).not.toBeNull();
  });
  const { commitment } = await rowOf({ id: key.matchId });
  const commits = (await published()).filter(
    ({ memo }) => memo.kind === 'commit' && memo.commitment === commitment,
  );
  expect(commits.map(({ signature }) => signature)).toEqual([key.signature]);
});

test('without funds a match begins all the same, with an alarm, and does not claim to be on the chain', async () => {
  const taken = await prepare();
  taken.forget();
  const poor = { ...context.chain, anchorKey: await generateKeyPairSigner() };
  const codes: unknown[] = [];
  const logger = Object.assign(Object.create(context.logger), {
    error: ({ code }: { code: string }) => codes.push(code),
  });
  const start = Date.now();
  const hasty = { ...context, chain: poor, logger, nowMs: () => start + 100 * (Date.now() - start) };
  // The spare of the match before is still good; take it first.
  for (let tries = 0; tries < 2; tries++) {
    const prepared = await prepare(hasty);
    prepared.forget();
    if (prepared.bond.anchor) continue;
    expect(prepared.bond.receiptKey).not.toBeNull();
    expect(prepared.publicPart).not.toBeNull();
    expect(codes).toContain('ANCHOR_REFUSED');
    expect(codes).toContain('MATCH_NOT_ANCHORED');
    return;
  }
  throw new Error('no match was prepared without an anchor');
});
