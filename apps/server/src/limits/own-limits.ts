import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import {
  changeLimit,
  currentLimit,
  type DepositLimit,
  depositedWithin,
  NO_LIMIT,
} from '@engulf/domain/limits/deposit-limit';
import { type Currency, currencyOf } from '@engulf/domain/money/currency';
import type { OwnLimits } from '@engulf/protocol/http/limits';
import { and, eq, sql } from 'drizzle-orm';
import { isPaid, listLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { depositLimits, playBreaks } from '../platform/database/limits.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { readDeposits } from './deposits.ts';

/*
 * The only writer of the limits that players set for themselves. Changing a limit and taking a paid seat both lock the
 * user's row, so that they cannot run at the same time.
 */

const DAY_MS = 24 * 3_600_000;

/** Does not block inserts of rows that refer to the user. Taken after the lock on a lobby, if there is one. */
export async function lockUser(tx: Database, id: UserId): Promise<void> {
  await locking(tx).execute({ id });
}

const locking = prepareOnce((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .for('no key update'),
);

export async function readBreak(db: Database, userId: UserId, nowMs: number): Promise<Date | undefined> {
  const [row] = await findingBreak(db).execute({ userId });
  return row && row.until.getTime() > nowMs ? row.until : undefined;
}

const findingBreak = prepareOnce((db) =>
  db
    .select()
    .from(playBreaks)
    .where(eq(playBreaks.userId, sql.placeholder('userId'))),
);

export async function readLimit(db: Database, userId: UserId, currency: Currency): Promise<DepositLimit> {
  const [row] = await db
    .select()
    .from(depositLimits)
    .where(and(eq(depositLimits.userId, userId), eq(depositLimits.currency, currency)));
  return row ? toLimit(row) : NO_LIMIT;
}

export async function setDepositLimit(
  context: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
  { tokenMint, limit }: { readonly tokenMint: WalletAddress | null; readonly limit: bigint | null },
): Promise<Result<OwnLimits, Failure<'INVALID_REQUEST'>>> {
  const currency = currencyOf(tokenMint);
  const isPlayable = (await listLobbies(context.db)).some(
    (lobby) => isPaid(lobby) && lobby.tokenMint === tokenMint,
  );
  if (!isPlayable) return refuse('INVALID_REQUEST');
  await context.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const { amount, pending } = changeLimit(await readLimit(tx, user.id, currency), limit, context.nowMs());
    const values = {
      amount,
      pendingAmount: pending?.amount ?? null,
      pendingFrom: pending ? new Date(pending.fromMs) : null,
    };
    await tx
      .insert(depositLimits)
      .values({ userId: user.id, currency, ...values })
      .onConflictDoUpdate({ target: [depositLimits.userId, depositLimits.currency], set: values });
  });
  return ok(await readOwnLimits(context, user));
}

/** A running break can only be extended. */
export async function takeBreak(
  context: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
  days: number,
): Promise<OwnLimits> {
  await context.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const nowMs = context.nowMs();
    const running = await readBreak(tx, user.id, nowMs);
    const until = new Date(Math.max(nowMs + days * DAY_MS, running?.getTime() ?? 0));
    await tx
      .insert(playBreaks)
      .values({ userId: user.id, until })
      .onConflictDoUpdate({ target: playBreaks.userId, set: { until } });
  });
  return readOwnLimits(context, user);
}

export async function readOwnLimits(
  context: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
): Promise<OwnLimits> {
  const { db } = context;
  const nowMs = context.nowMs();
  const breakUntil = await readBreak(db, user.id, nowMs);
  const limits = await db.select().from(depositLimits).where(eq(depositLimits.userId, user.id));
  const deposits = await readDeposits(db, user.id, nowMs);
  const tokens = new Map((await listLobbies(db)).filter(isPaid).map((lobby) => [lobby.tokenMint, lobby]));
  return {
    status: 'success',
    breakUntil: breakUntil?.toISOString() ?? null,
    deposits: [...tokens.values()].map(({ tokenSymbol, tokenDecimals, tokenMint }) => {
      const currency = currencyOf(tokenMint);
      const row = limits.find((limit) => limit.currency === currency);
      const { amount, pending } = currentLimit(row ? toLimit(row) : NO_LIMIT, nowMs);
      return {
        tokenSymbol,
        tokenDecimals,
        tokenMint,
        limit: amount?.toString() ?? null,
        pending: pending
          ? { limit: pending.amount?.toString() ?? null, from: new Date(pending.fromMs).toISOString() }
          : null,
        deposited: depositedWithin(deposits.get(currency) ?? [], nowMs).toString(),
      };
    }),
  };
}

function toLimit(row: typeof depositLimits.$inferSelect): DepositLimit {
  const { amount, pendingAmount, pendingFrom } = row;
  return pendingFrom === null
    ? { amount }
    : { amount, pending: { amount: pendingAmount, fromMs: pendingFrom.getTime() } };
}
