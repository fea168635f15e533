import { randomUUID } from 'node:crypto';
import type { EntryId, LobbyId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { type BaseUnits, baseUnits, usdValue } from '@engulf/domain/money/amount';
import { type Currency, currencyOf } from '@engulf/domain/money/currency';
import { eq, sql } from 'drizzle-orm';
import { firstPayoutWaitsUntil, type PayoutRules } from '../integrity/first-payout.ts';
import { findLobby, isPaid, type LobbyRow, notionalStake, tokenOf } from '../lobbies/lobby-rows.ts';
import { bountyOf, payableOf, spillOf } from '../money/ledger/accounts.ts';
import { lockBalance, post } from '../money/ledger/post.ts';
import { queuePayout } from '../money/payouts/payout-states.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, type OUTCOMES } from '../platform/database/games.ts';
import { integrityLobbyRules } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { together } from '../platform/database/together.ts';
import { addToDailyGoal } from '../stats/daily-goals.ts';
import { addToRecords, type LivedLife } from '../stats/records.ts';
import { addToRollups } from '../stats/rollups.ts';
import { advance, type Ending, lockEntry } from './entry-states.ts';

type Outcome = (typeof OUTCOMES)[number];

export type SettlementRequest = {
  readonly entryId: EntryId;
  /** The lobby whose room asks; undefined if no room does. */
  readonly lobbyId?: LobbyId;
  /** Whether its process still runs the lobby; nothing is written otherwise. */
  readonly isOurs?: (tx: Database) => Promise<boolean>;
  readonly kind: Outcome;
  /** What the room reports; undefined if only the ledger knows. */
  readonly amount: bigint | undefined;
  readonly massMilli: number | null;
  readonly life?: LivedLife;
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

/** Another process runs the lobby now. */
export class LeaseLost extends Error {}

/**
 * Ends an entry once: its bounty becomes payable or spills. A repeated call returns what was granted the first time.
 * Must run inside a database transaction.
 */
export async function settleEntry(
  context: Pick<Context, 'logger' | 'traces' | 'nowMs'>,
  tx: Database,
  request: SettlementRequest,
): Promise<Settlement> {
  const askedAtMs = context.nowMs();
  const { entryId } = request;
  const lobbyId = request.lobbyId ?? (await lobbyIdOf(tx, entryId));
  // In two steps, as the process of the room may be far from the database: first all that is read, then all that is written.
  const [isOurs, entry, lobby, carried, payee] = await together([
    request.isOurs?.(tx),
    lockEntry(tx, entryId),
    findLobby(tx, lobbyId),
    lockBalance(tx, bountyOf(lobbyId, entryId)),
    readPayee(tx, entryId),
  ]);
  if (isOurs === false) throw new LeaseLost('another process runs the lobby now');
  if (!entry || lobbyId !== entry.lobbyId) throw new Error(`There is no entry ${entryId}`);
  if (entry.payoutAmount !== null) {
    await spillLeftover(tx, entry);
    const { usdValue, outcome } = entry;
    return { amount: baseUnits(entry.payoutAmount), usdValue, isNew: false, kind: outcome! };
  }
  const isUnclaimed = request.kind === 'unclaimed';
  if (entry.state !== (isUnclaimed ? 'ticketSent' : 'playing')) {
    throw new Error(`The entry ${entry.id} is ${entry.state} and cannot end as ${request.kind}`);
  }
  const isForMoney = isPaid(lobby!);
  const amount = isForMoney ? grantedOf(request.kind, carried, request.amount) : (request.amount ?? 0n);
  const ending: Ending = {
    outcome: request.kind,
    payoutAmount: amount,
    usdValue: worthOf(lobby!, amount, request),
    finalMassMilli: request.massMilli,
    endedAt: new Date(context.nowMs()),
  };
  const unclaimedState = amount > 0n ? 'refunding' : 'expired';
  const ended = { ...entry, ...ending };
  await together([
    isForMoney &&
      settleBounty(context, tx, { entry, lobby, carried, granted: amount, payee: payee!, request }),
    advance(tx, entry, isUnclaimed ? unclaimedState : 'ended', ending),
    !isUnclaimed && addToRollups(tx, lobby!, ended),
    request.life && keepRecords(tx, lobby!, ended, request.life),
  ]);
  const line = { entryId: entry.id, lobbyId: entry.lobbyId, outcome: request.kind, amount };
  context.logger.info(line, 'entry settled');
  traceEnd(context, entry, { outcome: request.kind, amount, matchId: entry.matchId }, askedAtMs);
  return { amount: baseUnits(amount), usdValue: ending.usdValue, isNew: true };
}

async function keepRecords(
  tx: Database,
  lobby: LobbyRow,
  { userId, payoutAmount, outcome, endedAt }: Ending & Pick<EntryRow, 'userId'>,
  life: LivedLife,
): Promise<void> {
  const isFree = !isPaid(lobby);
  const basis = isFree ? notionalStake(lobby) : lobby.entryFee;
  const { kills, seconds, peakMassMilli } = life;
  const goalLife = { kills, seconds, peakMass: peakMassMilli / 1000, isExit: outcome === 'cashout' };
  await together([
    addToRecords(tx, { userId, isFree, life, payoutAmount, basis }),
    isFree && addToDailyGoal(tx, userId, goalLife, endedAt.getTime()),
  ]);
}

function traceEnd(
  { traces }: Pick<Context, 'traces'>,
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

type Payee = { readonly wallet: WalletAddress; readonly rules: PayoutRules | null };

/** Who is paid, and what the lobby asks of first payouts. */
async function readPayee(tx: Database, entryId: EntryId): Promise<Payee | undefined> {
  const [payee] = await findingPayee(tx).execute({ entryId });
  return payee;
}

const findingPayee = prepareOnce((db) =>
  db
    .select({ wallet: users.walletAddress, rules: integrityLobbyRules })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .leftJoin(integrityLobbyRules, eq(integrityLobbyRules.lobbyId, entries.lobbyId))
    .where(eq(entries.id, sql.placeholder('entryId'))),
);

async function lobbyIdOf(tx: Database, id: EntryId): Promise<LobbyId> {
  const [entry] = await tx.select({ lobbyId: entries.lobbyId }).from(entries).where(eq(entries.id, id));
  if (!entry) throw new Error(`There is no entry ${id}`);
  return entry.lobbyId;
}

type BountySplit = {
  readonly entry: EntryRow;
  readonly lobby: LobbyRow;
  readonly carried: bigint;
  readonly granted: bigint;
  readonly payee: Payee;
  readonly request: SettlementRequest;
};

/** Splits the bounty in the ledger: what is not granted spills, so nothing is lost or created. */
async function settleBounty(
  context: Pick<Context, 'logger' | 'nowMs'>,
  tx: Database,
  { entry, lobby, carried, granted, payee, request }: BountySplit,
): Promise<void> {
  reportMismatch(context, entry, request, carried, granted);
  const bounty = bountyOf(lobby.id, entry.id);
  const payoutId = randomUUID();
  // The entry is locked and was not settled before.
  const posting = post(tx, {
    key: `settle:${entry.id}`,
    lobbyId: lobby.id,
    isNew: true,
    postings: [
      { debit: bounty, credit: payableOf(lobby.id, payoutId), amount: granted },
      { debit: bounty, credit: spillOf(lobby.id), amount: carried - granted },
    ],
  });
  await together([posting, granted > 0n && queue()]);

  async function queue(): Promise<void> {
    const { userId } = entry;
    const notBefore =
      request.kind === 'cashout'
        ? await firstPayoutWaitsUntil(tx, payee.rules, lobby, { userId, amount: granted }, context.nowMs())
        : null;
    await queuePayout(tx, {
      id: payoutId,
      lobbyId: lobby.id,
      entryId: entry.id,
      userId,
      wallet: payee.wallet,
      amount: granted,
      isRefund: request.kind !== 'cashout',
      notBefore,
    });
  }
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
  { logger }: Pick<Context, 'logger'>,
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
