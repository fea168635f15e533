import { readPayoutKey } from '@engulf/chain/accounts/payout-key';
import { setPayoutKeyInstruction } from '@engulf/chain/admin/lobby-admin';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { withLog, withNode } from '../../../testing/fake-node.ts';
import {
  compareBooksAfterEach,
  newWinner,
  payEverything,
  payoutDeps,
  STAKE,
  startPaidServer,
  type Winner,
} from '../../../testing/paid-players.ts';
import { lamportsOf, payoutsOf } from '../../../testing/players.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import { batchSchema } from '../signer/signer.ts';
import { readSignerFunds } from '../signer-funds.ts';
import { payLobby } from './pay-lobby.ts';

const { server, context, lobby } = await startPaidServer();
compareBooksAfterEach(context, lobby);
const keyFrom = (json: string) => createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(json)));
const superAdmin = await keyFrom(server.superAdminKeypair());
const key = await keyFrom(server.payoutKeypair());
/** Whose signer has the payout key and nothing else. */
const limited: Context = { ...context, chain: { ...context.chain, superAdminKey: undefined } };
const AMPLE = { maxClaim: 10n * STAKE, maxWindow: 100n * STAKE, windowSlots: 1n };

async function grant(terms: Partial<typeof AMPLE> | undefined): Promise<void> {
  const { programId } = context.chain;
  const payoutKey = terms && { key: key.address, ...AMPLE, ...terms };
  const request = { programId, superAdmin, lobbyId: lobby.chainLobbyId!, payoutKey };
  await server.sendFrom(superAdmin, await setPayoutKeyInstruction(request));
}

const granted = () => readPayoutKey(context.chain.rpc, context.chain.programId, lobby.chainLobbyId!);

async function newestBatch(): Promise<BatchRow> {
  const rows = await context.db
    .select()
    .from(payoutBatches)
    .where(eq(payoutBatches.lobbyId, lobby.id))
    .orderBy(payoutBatches.createdAt);
  return rows.at(-1)!;
}

async function expectPaid(winner: Winner): Promise<void> {
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'completed' }]);
  expect(await lamportsOf(context, winner.wallet)).toBe(winner.lamportsBefore + STAKE);
}

const balanceOf = ({ address }: KeyPairSigner) => lamportsOf(context, { address } as Winner['wallet']);

beforeEach(async () => {
  server.advance(301_000);
  await grant(AMPLE);
});

test('a payout is claimed by the payout key of the lobby, which also pays the fee', async () => {
  const winner = await newWinner(server, lobby);
  const before = { superAdmin: await balanceOf(superAdmin), key: await balanceOf(key) };
  await payEverything(context, lobby);
  await expectPaid(winner);
  expect(batchSchema.parse((await newestBatch()).description).payoutKey).toBe(key.address);
  expect(await balanceOf(superAdmin)).toBe(before.superAdmin);
  expect(await balanceOf(key)).toBeLessThan(before.key);
});

test('what is above the limit is signed by the super admin where the signer has that key', async () => {
  await grant({ maxClaim: STAKE - 1n });
  const winner = await newWinner(server, lobby);
  await payEverything(context, lobby);
  await expectPaid(winner);
  expect(batchSchema.parse((await newestBatch()).description).payoutKey).toBeUndefined();
});

test('what is above the limit waits for a higher one where it has not, and the operator is told', async () => {
  await grant({ maxClaim: STAKE - 1n });
  const winner = await newWinner(server, lobby);
  const { context: watched, codes } = withLog(limited);
  await payLobby(watched, lobby.id, payoutDeps(watched));
  expect(codes).toContain('PAYOUT_ABOVE_KEY_LIMIT');
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([
    { status: 'pending', notBefore: expect.any(Date), failedAttempts: 0 },
  ]);
  await grant(AMPLE);
  server.advance(301_000);
  await payEverything(limited, lobby);
  await expectPaid(winner);
});

test('a claim never exceeds the limit: the rest gets into the next ones', async () => {
  const winners = [
    await newWinner(server, lobby),
    await newWinner(server, lobby),
    await newWinner(server, lobby),
  ];
  await grant({ maxClaim: 2n * STAKE });
  await payLobby(limited, lobby.id, payoutDeps(limited));
  const { rewards } = batchSchema.parse((await newestBatch()).description);
  expect(rewards).toHaveLength(2);
  await payEverything(limited, lobby);
  for (const winner of winners) await expectPaid(winner);
});

test('when the window is exhausted payouts wait for the next one', async () => {
  // What earlier claims have spent counts in the longer window too.
  const long = { maxClaim: STAKE, windowSlots: 1_000_000n };
  await grant(long);
  await grant({ ...long, maxWindow: AMPLE.maxWindow - (await granted())!.left + STAKE });
  expect(await granted()).toMatchObject({ left: STAKE });
  const first = await newWinner(server, lobby);
  await payEverything(limited, lobby);
  await expectPaid(first);
  expect(await granted()).toMatchObject({ left: 0n });
  const second = await newWinner(server, lobby);
  const { context: watched, codes } = withLog(limited);
  await payLobby(watched, lobby.id, payoutDeps(watched));
  expect(codes).toContain('PAYOUT_WINDOW_REACHED');
  expect(await payoutsOf(context, second.wallet)).toMatchObject([{ status: 'pending', failedAttempts: 0 }]);
  // A shorter window, which is over by then.
  await grant({ maxClaim: STAKE, maxWindow: STAKE, windowSlots: 1n });
  server.advance(61_000);
  await payEverything(limited, lobby);
  await expectPaid(second);
});

test('a key that is revoked while its claim is in flight pays nothing, and the payout is made later, once', async () => {
  const winner = await newWinner(server, lobby);
  await payLobby(limited, lobby.id, payoutDeps(limited, { send: async () => undefined }));
  const batch = await newestBatch();
  await grant(undefined);
  const { context: watched, codes } = withLog(limited);
  await payLobby(watched, lobby.id, payoutDeps(watched));
  expect(await newestBatch()).toMatchObject({ id: batch.id, status: 'open', failureReason: null });
  const late = withNode(watched, {
    getBlockHeight: async () => batch.lastValidBlockHeight + 1n,
    getLatestBlockhash: async (real: () => Promise<{ value: object }>) => {
      const { value, ...answer } = await real();
      return { ...answer, value: { ...value, lastValidBlockHeight: batch.lastValidBlockHeight + 151n } };
    },
  });
  await payLobby(late, lobby.id, payoutDeps(late));
  expect(codes).toContain('PAYOUT_KEY_NOT_SET');
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'pending', failedAttempts: 0 }]);
  await grant(AMPLE);
  server.advance(61_000);
  await payEverything(limited, lobby);
  await expectPaid(winner);
});

test('the balance that is watched is that of the payout key where each lobby has one', async () => {
  const { wallet } = await readSignerFunds(context, { lowClaims: 0, maxPriorityFeeLamports: 0n });
  expect(wallet).toBe(key.address);
});
