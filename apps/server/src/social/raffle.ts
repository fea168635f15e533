import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { raffleDay } from '@engulf/domain/social/raffle';
import { mayEnterRaffle } from '@engulf/domain/social/task';
import type { AnswerOf } from '@engulf/protocol/http/call';
import type {
  readRaffle as readRaffleCall,
  readRaffleDay as readRaffleDayCall,
} from '@engulf/protocol/http/social';
import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { raffleDays, raffleEntries } from '../platform/database/social.ts';
import { blockFromOf, raffleRule } from './raffle-rule.ts';
import type { Social } from './task-providers.ts';
import { listTasks } from './tasks.ts';

type EntryRefusal = Failure<
  'RAFFLE_TASKS_INCOMPLETE' | 'RAFFLE_ALREADY_ENTERED' | 'ACCESS_ALREADY_GRANTED' | 'RAFFLE_ENTRY_FAILED'
>;

/** Enters the raffle of the running day. */
export async function enterRaffle(
  context: Pick<Context, 'db' | 'nowMs'>,
  social: Social,
  user: UserRow,
): Promise<Result<undefined, EntryRefusal>> {
  if (user.isRaffleWinner || user.referralCode !== null) return refuse('ACCESS_ALREADY_GRANTED');
  if (!mayEnterRaffle(await listTasks(context, social, user))) return refuse('RAFFLE_TASKS_INCOMPLETE');
  const nowMs = context.nowMs();
  const day = raffleDay(nowMs);
  return context.db.transaction(async (tx) => {
    await tx.insert(raffleDays).values({ day }).onConflictDoNothing();
    // A shared lock that the draw waits for: everyone who entered before the list closed is in it.
    const [open] = await tx.select().from(raffleDays).where(eq(raffleDays.day, day)).for('share');
    if (open!.closedAt !== null) return refuse('RAFFLE_ENTRY_FAILED');
    const entered = await tx
      .insert(raffleEntries)
      .values({ day, userId: user.id, walletAddress: user.walletAddress, enteredAt: new Date(nowMs) })
      .onConflictDoNothing()
      .returning();
    return entered.length > 0 ? ok(undefined) : refuse('RAFFLE_ALREADY_ENTERED');
  });
}

export async function readRaffle(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
): Promise<AnswerOf<typeof readRaffleCall>> {
  const [[newest], [drawn]] = await Promise.all([
    db
      .select()
      .from(raffleEntries)
      .where(eq(raffleEntries.userId, user.id))
      .orderBy(desc(raffleEntries.day))
      .limit(1),
    db
      .select({ day: raffleDays.day })
      .from(raffleDays)
      .where(isNotNull(raffleDays.drawnAt))
      .orderBy(desc(raffleDays.day))
      .limit(1),
  ]);
  return {
    status: 'success',
    // After midnight an entry still counts until it is drawn.
    entered: newest !== undefined && (newest.day === raffleDay(nowMs()) || newest.result === null),
    result: newest?.result ?? 'not_declared',
    isNotified: newest !== undefined && newest.seenAt !== null,
    lastDrawnDay: drawn?.day ?? null,
  };
}

export async function noteRaffleSeen(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
): Promise<void> {
  await db
    .update(raffleEntries)
    .set({ seenAt: new Date(nowMs()) })
    .where(
      and(eq(raffleEntries.userId, user.id), isNotNull(raffleEntries.result), isNull(raffleEntries.seenAt)),
    );
}

export async function readRaffleDay(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  day: string,
  winnersPerDay = 1,
): Promise<AnswerOf<typeof readRaffleDayCall> | undefined> {
  // A year that the database does not know.
  if (day.startsWith('0000')) return undefined;
  const [row] = await db.select().from(raffleDays).where(eq(raffleDays.day, day));
  if (!row && day !== raffleDay(nowMs())) return undefined;
  const entries = await db
    .select()
    .from(raffleEntries)
    .where(eq(raffleEntries.day, day))
    .orderBy(asc(raffleEntries.walletAddress));
  const wallets = entries.map(({ walletAddress }) => walletAddress).sort();
  return {
    day,
    rule: raffleRule(day, blockFromOf(row ?? { day, closedAt: null, blockFrom: null })),
    drawnAt: row?.drawnAt?.toISOString() ?? null,
    slot: row?.slot?.toString() ?? null,
    blockhash: row?.blockhash ?? null,
    winnersPerDay: row?.winnersPerDay ?? winnersPerDay,
    entries: wallets,
    winners: entries.filter(({ result }) => result === 'won').map(({ walletAddress }) => walletAddress),
  };
}
