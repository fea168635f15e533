import type { UserId } from '@engulf/domain/ids/entity-ids';
import { eq, gt, gte, sql } from 'drizzle-orm';
import { chatBans, chatMutes } from '../platform/database/chat.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';

const MUTED_MS = 10 * 60 * 1000;

/** Mutes the user for ten minutes from now, even if an earlier kick still runs. */
export async function mute(tx: Database, userId: UserId, nowMs: number): Promise<void> {
  const until = new Date(nowMs + MUTED_MS);
  await tx
    .insert(chatMutes)
    .values({ userId, until })
    .onConflictDoUpdate({ target: chatMutes.userId, set: { until } });
}

/** Keeps the user from writing, and from nothing else. */
export async function banFromChat(tx: Database, userId: UserId, until: Date): Promise<void> {
  await tx
    .insert(chatBans)
    .values({ userId, until })
    .onConflictDoUpdate({ target: chatBans.userId, set: { until } });
}

/** The user may write again, whoever said otherwise. */
export async function unmute(tx: Database, userId: UserId): Promise<void> {
  await tx.delete(chatBans).where(eq(chatBans.userId, userId));
  await tx.delete(chatMutes).where(eq(chatMutes.userId, userId));
}

/** Who may not write now, and until when. */
export async function readMutes(db: Database, nowMs: number): Promise<ReadonlyMap<UserId, number>> {
  const now = new Date(nowMs);
  const rows = [
    ...(await db.select().from(chatMutes).where(gt(chatMutes.until, now))),
    ...(await db.select().from(chatBans).where(gt(chatBans.until, now))),
  ];
  const untilMs = new Map<UserId, number>();
  for (const { userId, until } of rows)
    untilMs.set(userId, Math.max(until.getTime(), untilMs.get(userId) ?? 0));
  return untilMs;
}

export async function listKickedSince(db: Database, since: Date): Promise<UserId[]> {
  const rows = await db
    .select({ userId: chatMutes.userId })
    .from(chatMutes)
    .where(gte(chatMutes.until, new Date(since.getTime() + MUTED_MS)));
  return rows.map(({ userId }) => userId);
}

/** A kick by another process arrives over the bus, or is read from the database after an outage of the bus. */
const HEARD_WITHIN_MS = 60_000;

export async function isJustKicked(db: Database, userId: UserId, nowMs: number): Promise<boolean> {
  return (await listKickedSince(db, new Date(nowMs - HEARD_WITHIN_MS))).includes(userId);
}

export async function findUserByName(db: Database, name: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(sql`lower(${users.name}) = lower(${name})`);
  return user;
}
