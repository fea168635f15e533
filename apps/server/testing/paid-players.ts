import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { chainLobbyId, type EntryId } from '@engulf/domain/ids/entity-ids';
import { inArray } from 'drizzle-orm';
import { afterAll, afterEach, expect } from 'vitest';
import { type Settlement, type SettlementRequest, settleEntry } from '../src/entries/settle-entry.ts';
import type { LobbyRow } from '../src/lobbies/lobby-rows.ts';
import { type PayoutDeps, payLobby } from '../src/money/payouts/pay-lobby.ts';
import { openSigner } from '../src/money/signer/open-signer.ts';
import { reconcileLobby } from '../src/payments/reconcile-lobby.ts';
import { sendThroughNodes } from '../src/platform/chain/send-through-nodes.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import type { Context } from '../src/platform/context.ts';
import { payouts } from '../src/platform/database/money.ts';
import { openKey } from '../src/platform/super-admin-key.ts';
import { auditLedger } from './audit-ledger.ts';
import { newPaidLobby } from './new-lobby.ts';
import { enter, lamportsOf, newPlayer, type Player, poolOnChain } from './players.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/**
 * A server with the paid lobby `Shallows`, which all tests of a file share and the last one disposes of. Awaited at the top
 * of the file.
 */
export async function startPaidServer() {
  const server = await startTestServer();
  afterAll(() => server.dispose());
  return { server, context: server.context, lobby: await server.lobby('Shallows') };
}

/** A lobby like `Shallows` from before the chain counted claims. */
export async function addLobbyFromBefore({ chain, context, sendFrom }: TestServer): Promise<LobbyRow> {
  const { programId, superAdminKey } = chain;
  const superAdmin = openKey(superAdminKey);
  const terms = { lobbyId: 77n, entryFee: 50_000_000n, tokenMint: undefined };
  await sendFrom(superAdmin, await createLobbyInstruction({ programId, superAdmin, ...terms }));
  const { lobbyId: id, entryFee } = terms;
  return newPaidLobby(context.db, { chainLobbyId: chainLobbyId(id), name: 'Old Tank', entryFee });
}

/** Whatever a test did, the books agree with the chain afterwards. */
export function compareBooksAfterEach(context: Context, lobby: LobbyRow): void {
  afterEach(async () => {
    await reconcileLobby(context, lobby.id);
    await expectBooksToMatchTheChain(context, lobby);
  });
}

/** What reaches the pool of the lobby `Shallows` from its price of 0.05 SOL. */
export const STAKE = 47_500_000n;

export type PaidPlayer = Player & { readonly entryId: EntryId };

/** A player who has paid and plays. */
export async function newPaidPlayer(server: TestServer, lobby: LobbyRow): Promise<PaidPlayer> {
  const { wallet, user } = await newPlayer(server);
  return { wallet, user, entryId: await enter(server.context, user, wallet, lobby) };
}

/** Settles an entry as its room would. By default the player cashes out the stake. */
export function settle(
  context: Context,
  { entryId }: Pick<PaidPlayer, 'entryId'>,
  change: Partial<SettlementRequest> = {},
): Promise<Settlement> {
  const request = { entryId, kind: 'cashout', amount: STAKE, massMilli: 40_000, ...change } as const;
  return context.db.transaction((tx) => settleEntry(context, tx, request));
}

export type Winner = PaidPlayer & { readonly lamportsBefore: bigint };

/** A player who has cashed out and is not paid yet. */
export async function newWinner(server: TestServer, lobby: LobbyRow): Promise<Winner> {
  const player = await newPaidPlayer(server, lobby);
  await settle(server.context, player);
  return { ...player, lamportsBefore: await lamportsOf(server.context, player.wallet) };
}

export function payoutDeps(
  context: Context,
  changes: Partial<PayoutDeps> = {},
  config: Config['payouts'] = readConfig({}).payouts,
): PayoutDeps {
  return {
    signer: openSigner(context, config),
    maxPriorityFeeLamports: config.maxPriorityFeeLamports,
    send: (wire) => sendThroughNodes(context, wire),
    bookPayments: (lobbyId, reach) => reconcileLobby(context, lobbyId, reach),
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
