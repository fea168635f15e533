import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { KeyPairSigner } from '@solana/kit';
import { inArray } from 'drizzle-orm';
import { expect } from 'vitest';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { type PayoutDeps, payLobby, sendThroughNode } from '../money/payouts/pay-lobby.ts';
import { openSigner } from '../money/signer/open-signer.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { payouts } from '../platform/database/money.ts';
import type { UserRow } from '../platform/database/people.ts';
import { auditLedger } from './audit-ledger.ts';
import { createUser, enter, poolOnChain } from './players.ts';
import type { TestServer } from './test-server.ts';

/** What reaches the pool of the lobby `Shallows` from its price of 0.05 SOL. */
export const STAKE = 47_500_000n;

export type PaidPlayer = {
  readonly wallet: KeyPairSigner;
  readonly user: UserRow;
  readonly entryId: EntryId;
};

/** A player who has paid and plays. */
export async function newPaidPlayer(server: TestServer, lobby: LobbyRow): Promise<PaidPlayer> {
  const wallet = await server.newWallet();
  const user = await createUser(server.context, wallet);
  return { wallet, user, entryId: await enter(server.context, user, wallet, lobby) };
}

export function payoutDeps(
  context: Context,
  changes: Partial<PayoutDeps> = {},
  config: Config['payouts'] = readConfig({}).payouts,
): PayoutDeps {
  return {
    signer: openSigner(context, config),
    maxPriorityFeeLamports: config.maxPriorityFeeLamports,
    send: (wire) => sendThroughNode(context, wire),
    bookPayments: (lobbyId) => reconcileLobby(context, lobbyId),
    ...changes,
  };
}

/** Runs the worker's payouts of a lobby until nothing is left to pay. */
export async function payEverything(context: Context, lobby: LobbyRow): Promise<void> {
  for (let round = 0; round < 400; round++) {
    await payLobby(context, lobby.id, payoutDeps(context));
    const unpaid = await context.db
      .select()
      .from(payouts)
      .where(inArray(payouts.status, ['pending', 'processing']));
    if (unpaid.length === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('The payouts did not come to an end');
}

/** No lamport was made or lost. */
export async function expectBooksToMatchTheChain(context: Context, lobby: LobbyRow): Promise<void> {
  const { faults, lobbies } = await auditLedger(context.db);
  expect(faults).toEqual([]);
  const books = lobbies.find(({ lobbyId }) => lobbyId === lobby.id);
  expect(books?.pool ?? 0n).toBe(await poolOnChain(context, lobby));
}
