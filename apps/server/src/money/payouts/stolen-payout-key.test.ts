import { randomUUID } from 'node:crypto';
import { readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { setPayoutKeyInstruction } from '@engulf/chain/admin/lobby-admin';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimMessage } from '@engulf/chain/payouts/claim-message';
import {
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLog, withNode } from '../../../testing/fake-node.ts';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  newWinner,
  payEverything,
  payoutDeps,
  STAKE,
  startPaidServer,
  type Winner,
} from '../../../testing/paid-players.ts';
import { lamportsOf, payoutsOf } from '../../../testing/players.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import { payLobby } from './pay-lobby.ts';

/* Somebody has the payout key of a lobby and claims by it until it is revoked. Then it must be as before. */

const { server, context, lobby } = await startPaidServer();
const keyFrom = (json: string) => createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(json)));
const superAdmin = await keyFrom(server.superAdminKeypair());
const key = await keyFrom(server.payoutKeypair());
const { programId, rpc } = context.chain;
const lobbyId = lobby.chainLobbyId!;
const pool = await findLobbyConfig(programId, lobbyId);
const thief = await server.newWallet();
const operator = await server.newWallet();
/** Whose money is in the pool all the time. */
for (let count = 0; count < 3; count++) await newPaidPlayer(server, lobby);
const NOWHERE = '00000000-0000-0000-0000-000000000000';

beforeEach(async () => {
  server.advance(301_000);
  const payoutKey = { key: key.address, maxClaim: 10n * STAKE, maxWindow: 100n * STAKE, windowSlots: 1n };
  await server.sendFrom(
    superAdmin,
    await setPayoutKeyInstruction({ programId, superAdmin, lobbyId, payoutKey }),
  );
});

/** Whatever the thief did, once it is made good everybody is paid, today and tomorrow. */
afterEach(async () => {
  server.advance(301_000);
  await reconcileLobby(context, lobby.id);
  const next = await newWinner(server, lobby);
  await payEverything(context, lobby);
  await expectPaid(next);
  await reconcileLobby(context, lobby.id);
  await expectBooksToMatchTheChain(context, lobby);
});

const nextNumber = async () => (await readClaimCounter(rpc, programId, lobbyId))!.nextNumber;
const gift = (amount: bigint) => getTransferSolInstruction({ source: operator, destination: pool, amount });
const makeGood = (amount: bigint) => send(gift(amount));

async function claim(number: bigint, batchId: string, amount: bigint, to: Address = thief.address) {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = await buildClaimMessage(
    {
      programId,
      superAdmin: superAdmin.address,
      payoutKey: key.address,
      lobbyId,
      number,
      token: undefined,
      rewards: [{ player: to, amount }],
      batchId,
      proofs: [],
      lifetime,
      computeUnits: 400_000,
      computePriceMicroLamports: 0n,
    },
    key,
  );
  return message.instructions.find(({ programAddress }) => programAddress === programId)!;
}

async function send(...instructions: Instruction[]): Promise<void> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const { signature, wire } = await signForSending(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(operator, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  const fate = await awaitFinality({ rpc, signature, ...lifetime, pollMs: 20 });
  expect(fate).toMatchObject({ kind: 'finalized' });
}

async function batchOf(winner: Winner): Promise<BatchRow> {
  const [payout] = await payoutsOf(context, winner.wallet);
  const [row] = await context.db.select().from(payoutBatches).where(eq(payoutBatches.id, payout!.batchId!));
  return row!;
}

async function expectPaid(winner: Winner): Promise<void> {
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'completed' }]);
  expect(await lamportsOf(context, winner.wallet)).toBe(winner.lamportsBefore + STAKE);
}

const sendsNothing = () => payoutDeps(context, { send: async () => undefined });

test('a claim that bears the id of a payout in flight does not count as that payout', async () => {
  const winner = await newWinner(server, lobby);
  await payLobby(context, lobby.id, sendsNothing());
  const batch = await batchOf(winner);
  await send(await claim(batch.number!, batch.id, STAKE));
  const { context: watched, codes } = withLog(context);
  for (let look = 0; look < 3; look++) await payLobby(watched, lobby.id, payoutDeps(watched));
  expect(await payoutsOf(context, winner.wallet)).not.toMatchObject([{ status: 'completed' }]);
  expect(codes).toContain('POOL_WITHDRAWN');
  await makeGood(STAKE);
  server.advance(301_000);
  await payEverything(context, lobby);
  await expectPaid(winner);
});

test('a claim that bears the id of a payout that was given up does not count as that payout', async () => {
  const winner = await newWinner(server, lobby);
  await payLobby(context, lobby.id, sendsNothing());
  const batch = await batchOf(winner);
  const past = withNode(context, {
    getBlockHeight: async () => batch.lastValidBlockHeight + 1n,
    getLatestBlockhash: async () => Promise.reject(new Error('timeout')),
  });
  // Its payouts are pending again, and nothing new is signed.
  await payLobby(past, lobby.id, sendsNothing()).catch(() => undefined);
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'pending' }]);
  await send(await claim(batch.number!, batch.id, STAKE));
  await payLobby(context, lobby.id, payoutDeps(context)).catch(() => undefined);
  expect(await payoutsOf(context, winner.wallet)).not.toMatchObject([{ status: 'completed' }]);
  await makeGood(STAKE);
  server.advance(301_000);
  await payEverything(context, lobby);
  await expectPaid(winner);
});

test('claims that all bear one id are told apart', async () => {
  const first = await nextNumber();
  await send(await claim(first, NOWHERE, 1n));
  await send(await claim(first + 1n, NOWHERE, 1n));
  await makeGood(2n);
});

test('a claim that bears the id of an older one is told apart', async () => {
  const winner = await newWinner(server, lobby);
  await payEverything(context, lobby);
  const { id } = await batchOf(winner);
  await send(await claim(await nextNumber(), id, 1n));
  await makeGood(1n);
});

test('several claims in one transaction all count', async () => {
  const first = await nextNumber();
  await send(await claim(first, randomUUID(), 1n), await claim(first + 1n, randomUUID(), 1n));
  await makeGood(2n);
});

test('a claim whose transaction brings the money back counts', async () => {
  await send(await claim(await nextNumber(), randomUUID(), STAKE, operator.address), gift(STAKE));
});

test('a claim whose transaction brings back more counts', async () => {
  await send(await claim(await nextNumber(), randomUUID(), STAKE, operator.address), gift(STAKE + 1n));
});
