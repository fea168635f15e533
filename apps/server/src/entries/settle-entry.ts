import { randomUUID } from 'node:crypto';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { type BaseUnits, baseUnits, usdValue } from '@engulf/domain/money/amount';
import { type Currency, currencyOf } from '@engulf/domain/money/currency';
import { eq } from 'drizzle-orm';
import { isPaid, type LobbyRow, tokenOf } from '../lobbies/lobby-rows.ts';
import { bountyOf, payableOf, spillOf } from '../money/ledger/accounts.ts';
import { lockBalance, post } from '../money/ledger/post.ts';
import { queuePayout } from '../money/payouts/payout-states.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, lobbies, type OUTCOMES } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { addToRollups } from '../stats/rollups.ts';
import { advance, type Ending, lockEntry } from './entry-states.ts';

type Outcome = (typeof OUTCOMES)[number];

export type SettlementRequest = {
  readonly entryId: EntryId;
  /** The lobby whose room asks; undefined if no room does. */
  readonly lobbyId?: LobbyId;
  readonly kind: Outcome;
  /** What the room reports; undefined if only the ledger knows. */
  readonly amount: bigint | undefined;
  readonly massMilli: number | null;
  /** Micro-dollars for one whole token when it happened. */
  readonly priceOf?: (currency: Currency) => bigint | undefined;
};

export type Settlement = {
  /** What the ledger granted. */
  readonly amount: BaseUnits;
  /** What it was worth, in micro-dollars; null if no price was known. */
  readonly usdValue: bigint | null;
} & (
  | { readonly isNew: true }
  /** The entry was settled before: `amount` and `kind` are those of the first settlement. */
  | { readonly isNew: false; readonly kind: Outcome }
);

/**
 * Ends an entry once: its bounty becomes payable or spills. A repeated call returns what was granted the first time.
 * Must run inside a database transaction.
 */
export async function settleEntry(
  context: Context,
  tx: Database,
  request: SettlementRequest,
): Promise<Settlement> {
  const askedAtMs = context.nowMs();
  const entry = await lockEntry(tx, request.entryId);
  if (!entry || (request.lobbyId && request.lobbyId !== entry.lobbyId)) {
    throw new Error(`There is no entry ${request.entryId}`);
  }
  if (entry.payoutAmount !== null) {
    await spillLeftover(tx, entry);
    const { usdValue, outcome } = entry;
    return { amount: baseUnits(entry.payoutAmount), usdValue, isNew: false, kind: outcome! };
  }
  const isUnclaimed = request.kind === 'unclaimed';
  if (entry.state !== (isUnclaimed ? 'ticketSent' : 'playing')) {
    throw new Error(`The entry ${entry.id} is ${entry.state} and cannot end as ${request.kind}`);
  }
  const [lobby] = await tx.select().from(lobbies).where(eq(lobbies.id, entry.lobbyId));
  const amount = isPaid(lobby!)
    ? await settleBounty(context, tx, entry, lobby!, request)
    : (request.amount ?? 0n);
  const ending: Ending = {
    outcome: request.kind,
    payoutAmount: amount,
    usdValue: worthOf(lobby!, amount, request),
    finalMassMilli: request.massMilli,
    endedAt: new Date(context.nowMs()),
  };
  const unclaimedState = amount > 0n ? 'refunding' : 'expired';
  await advance(tx, entry, isUnclaimed ? unclaimedState : 'ended', ending);
  if (!isUnclaimed) await addToRollups(tx, lobby!, { ...entry, ...ending });
  const line = { entryId: entry.id, lobbyId: entry.lobbyId, outcome: request.kind, amount };
  context.logger.info(line, 'entry settled');
  traceEnd(context, entry, { outcome: request.kind, amount, matchId: entry.matchId }, askedAtMs);
  return { amount: baseUnits(amount), usdValue: ending.usdValue, isNew: true };
}

function traceEnd(
  { traces }: Context,
  { id, startedAt }: EntryRow,
  facts: { readonly outcome: Outcome; readonly amount: bigint; readonly matchId: string | null },
  askedAtMs: number,
): void {
  if (startedAt) traces?.step(id, 'play', startedAt.getTime(), facts);
  traces?.step(id, 'settle entry', askedAtMs, facts);
}

/** How an entry was settled, if it was. */
export async function readSettlement(db: Database, id: EntryId): Promise<Settlement | undefined> {
  const [entry] = await db.select().from(entries).where(eq(entries.id, id));
  if (!entry || entry.payoutAmount === null) return undefined;
  const { usdValue, outcome, payoutAmount } = entry;
  return { amount: baseUnits(payoutAmount), usdValue, isNew: false, kind: outcome! };
}

/** Amounts of a free lobby are dollars already. */
function worthOf(lobby: LobbyRow, amount: bigint, { priceOf }: SettlementRequest): bigint | null {
  if (!isPaid(lobby)) return amount;
  const price = priceOf?.(currencyOf(lobby.tokenMint));
  return price === undefined ? null : usdValue(amount, tokenOf(lobby), price);
}

/** Whatever an entry won in its room after it was settled from outside goes to the spill. */
async function spillLeftover(tx: Database, { id, lobbyId }: EntryRow): Promise<void> {
  const bounty = bountyOf(lobbyId, id);
  const amount = await lockBalance(tx, bounty);
  const postings = [{ debit: bounty, credit: spillOf(lobbyId), amount }];
  await post(tx, { key: `leftover:${id}:${randomUUID()}`, lobbyId, postings });
}

/** Splits the bounty in the ledger: what is not granted spills, so nothing is lost or created. */
async function settleBounty(
  context: Context,
  tx: Database,
  entry: EntryRow,
  lobby: LobbyRow,
  request: SettlementRequest,
): Promise<bigint> {
  const bounty = bountyOf(lobby.id, entry.id);
  const carried = await lockBalance(tx, bounty);
  const granted = grantedOf(request.kind, carried, request.amount);
  reportMismatch(context, entry, request, carried, granted);
  const payoutId = randomUUID();
  await post(tx, {
    key: `settle:${entry.id}`,
    lobbyId: lobby.id,
    postings: [
      { debit: bounty, credit: payableOf(lobby.id, payoutId), amount: granted },
      { debit: bounty, credit: spillOf(lobby.id), amount: carried - granted },
    ],
  });
  if (granted === 0n) return 0n;
  const [user] = await tx.select().from(users).where(eq(users.id, entry.userId));
  await queuePayout(tx, {
    id: payoutId,
    lobbyId: lobby.id,
    entryId: entry.id,
    userId: entry.userId,
    wallet: user!.walletAddress,
    amount: granted,
    isRefund: request.kind !== 'cashout',
  });
  return granted;
}

/** A player who leaves alive, other than by forfeit, gets the whole bounty, whatever the room counted. */
function grantedOf(kind: SettlementRequest['kind'], carried: bigint, amount: bigint | undefined): bigint {
  switch (kind) {
    case 'killed':
      return 0n;
    case 'forfeit':
      return amount === undefined || amount > carried ? carried : amount;
    default:
      return carried;
  }
}

function reportMismatch(
  { logger }: Context,
  entry: EntryRow,
  { kind, amount }: SettlementRequest,
  carried: bigint,
  granted: bigint,
): void {
  const isExpected = kind === 'killed' ? carried === 0n : amount === undefined || amount === granted;
  if (isExpected) return;
  logger.error(
    {
      code: 'BOUNTY_MISMATCH',
      entryId: entry.id,
      lobbyId: entry.lobbyId,
      kind,
      asked: amount,
      carried,
      granted,
    },
    'room and ledger disagree about a bounty; the ledger decides',
  );
}
