import { randomUUID } from 'node:crypto';
import { readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import {
  type EntryId,
  matchId,
  type TransactionSignature,
  transactionSignature,
  userId,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import type { KeyPairSigner } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { firstAccessCode } from '../src/accounts/access.ts';
import { openSession } from '../src/accounts/sessions.ts';
import { expireEntry, timedOutEntries } from '../src/entries/expire-entries.ts';
import { joinLobby } from '../src/entries/join-lobby.ts';
import { readPaymentStatus } from '../src/entries/payment-status.ts';
import { redeemTicket } from '../src/entries/tickets.ts';
import { isRoomOpen } from '../src/lobbies/lease.ts';
import { isPaid, type LobbyRow, listLobbies } from '../src/lobbies/lobby-rows.ts';
import { confirmPayment } from '../src/payments/confirm-payment.ts';
import { verifyPayment } from '../src/payments/verify-payment.ts';
import type { Context } from '../src/platform/context.ts';
import { entries, gameProcesses, lobbyLeases, matches, payments } from '../src/platform/database/games.ts';
import { payouts } from '../src/platform/database/money.ts';
import { type UserRow, users } from '../src/platform/database/people.ts';
import type { TestServer } from './test-server.ts';

/*
 * What players do, through the functions behind the page's calls.
 */

export async function createUser(context: Context, wallet: KeyPairSigner): Promise<UserRow> {
  const referralCode = await firstAccessCode(context);
  const id = userId(randomUUID());
  const walletText = walletAddress(wallet.address);
  const [user] = await context.db
    .insert(users)
    .values({ id, walletAddress: walletText, name: id.slice(0, 10), referralCode })
    .returning();
  return user!;
}

export type Player = { readonly wallet: KeyPairSigner; readonly user: UserRow };

/** A user who is signed in, with a wallet that can pay. */
export async function newPlayer({ context, newWallet }: TestServer): Promise<Player> {
  const wallet = await newWallet();
  const user = await createUser(context, wallet);
  await openSession(context, context.db, user.id);
  return { wallet, user };
}

/** Pays the lobby's price and waits until the payment is final. */
export async function pay(
  { chain }: Context,
  wallet: KeyPairSigner,
  lobby: LobbyRow,
  inputsKey?: string,
): Promise<TransactionSignature> {
  if (!isPaid(lobby)) throw new Error(`${lobby.name} is free`);
  const join = await buildJoinTransaction({
    rpc: chain.rpc,
    programId: chain.programId,
    lobbyId: lobby.chainLobbyId,
    player: wallet,
    entryFee: lobby.entryFee,
    treasury: (await chain.readPlatform()).treasury,
    inputsKey,
  });
  if (!join.ok) throw new Error(join.error.code);
  const signed = await signForSending(join.value);
  await chain.rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  const fate = await awaitFinality({ rpc: chain.rpc, ...signed, pollMs: 20 });
  if (fate.kind !== 'finalized') throw new Error(JSON.stringify(fate));
  return transactionSignature(signed.signature);
}

export async function ask(context: Context, user: UserRow, lobby: LobbyRow) {
  await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
  return joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: lobby.lobbyCode ?? undefined });
}

export function confirm(
  context: Context,
  user: UserRow,
  lobby: LobbyRow,
  transactionHash: TransactionSignature | 'True',
) {
  return confirmPayment(context, user, lobby.id, transactionHash);
}

/** What the worker does for payments that nobody has decided yet. */
export async function verifyAll(context: Context): Promise<void> {
  const waiting = await context.db.select().from(payments).where(eq(payments.status, 'verifying'));
  for (const { id } of waiting) await verifyPayment(context, id);
}

/** From the first click to a cell in the arena. */
export async function enter(
  context: Context,
  user: UserRow,
  wallet: KeyPairSigner,
  lobby: LobbyRow,
): Promise<EntryId> {
  const created = await ask(context, user, lobby);
  if (!created.ok) throw new Error(created.error.code);
  const signature = await pay(context, wallet, lobby);
  const processing = await confirm(context, user, lobby, signature);
  if (!processing.ok) throw new Error(processing.error.code);
  await verifyAll(context);
  return takeBody(context, user, lobby);
}

/** Fetches the ticket of a granted entry and redeems it. */
export async function takeBody(context: Context, user: UserRow, lobby: LobbyRow): Promise<EntryId> {
  const entry = await newestEntry(context, user);
  const status = await readPaymentStatus(context, user, entry.paymentSessionId);
  if (!status.ok || status.value.status !== 'ticketSent') throw new Error(JSON.stringify(status));
  const playing = await redeem(context, status.value.joinTicket, lobby);
  if (!playing.ok) throw new Error(playing.error.code);
  return playing.value.id;
}

export function redeem(context: Context, ticket: string, lobby: LobbyRow) {
  return redeemTicket(
    context,
    ticket,
    { lobbyId: lobby.id, matchId: undefined, isOurs: async () => true },
    async (_tx, entry) => entry,
  );
}

const LONG_AGO = new Date(0);

/** As if this process ran a room for every lobby, and had just said so. */
export async function keepRoomsRunning({ db, processId: id }: Context): Promise<void> {
  await db.insert(gameProcesses).values({ id, version: 'test' }).onConflictDoNothing();
  for (const lobby of await listLobbies(db)) {
    await db
      .insert(lobbyLeases)
      .values({ lobbyId: lobby.id, processId: id })
      .onConflictDoUpdate({ target: lobbyLeases.lobbyId, set: { processId: id } });
    if (await isRoomOpen({ db }, lobby.id, LONG_AGO)) continue;
    const match = { id: matchId(randomUUID()), lobbyId: lobby.id, heldBy: id, commitment: '', rules: '' };
    await db.insert(matches).values({ ...match, committedAt: LONG_AGO, startedAt: LONG_AGO });
  }
}

/** What the worker does with entries that have timed out, while the rooms run. */
export async function expireAll(context: Context): Promise<void> {
  await keepRoomsRunning(context);
  await expireTimedOut(context);
}

export async function expireTimedOut(context: Context): Promise<void> {
  for (const id of await timedOutEntries(context)) await expireEntry(context, id);
}

export async function newestEntry({ db }: Context, user: UserRow) {
  const all = await db.select().from(entries).where(eq(entries.userId, user.id)).orderBy(entries.createdAt);
  return all.at(-1)!;
}

export function payoutsOf({ db }: Context, wallet: KeyPairSigner) {
  return db
    .select()
    .from(payouts)
    .where(eq(payouts.wallet, walletAddress(wallet.address)));
}

export async function poolOnChain({ chain }: Context, lobby: LobbyRow): Promise<bigint> {
  if (!isPaid(lobby)) throw new Error(`${lobby.name} is free`);
  const account = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId, 'finalized');
  return readPool(chain.rpc, account!, 'finalized');
}

export async function lamportsOf({ chain }: Context, wallet: KeyPairSigner): Promise<bigint> {
  const { value } = await chain.rpc.getBalance(wallet.address, { commitment: 'finalized' }).send();
  return value;
}
