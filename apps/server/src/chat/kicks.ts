import type { UserId } from '@engulf/domain/ids/entity-ids';
import { gt, gte, sql } from 'drizzle-orm';
import { chatMutes } from '../platform/database/chat.ts';
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

/** Who may not write now, and until when. */
export async function readMutes(db: Database, nowMs: number): Promise<ReadonlyMap<UserId, number>> {
  const rows = await db
    .select()
    .from(chatMutes)
    .where(gt(chatMutes.until, new Date(nowMs)));
  return new Map(rows.map(({ userId, until }) => [userId, until.getTime()]));
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
