import type { UserId } from '@engulf/domain/ids/entity-ids';
import { eq, sql } from 'drizzle-orm';
import { chatMutes } from '../platform/database/chat.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';

const MUTED_MS = 10 * 60 * 1000;

/** Keeps the user from writing for ten minutes, counted from now even if it was kicked before. */
export async function mute(tx: Database, userId: UserId, nowMs: number): Promise<void> {
  const until = new Date(nowMs + MUTED_MS);
  await tx
    .insert(chatMutes)
    .values({ userId, until })
    .onConflictDoUpdate({ target: chatMutes.userId, set: { until } });
}

/** How many minutes the user has to wait; 0 if it may write. */
export async function mutedMinutes(db: Database, userId: UserId, nowMs: number): Promise<number> {
  const [row] = await db.select().from(chatMutes).where(eq(chatMutes.userId, userId));
  return row ? Math.max(0, Math.ceil((row.until.getTime() - nowMs) / 60_000)) : 0;
}

export async function findUserByName(db: Database, name: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(sql`lower(${users.name}) = lower(${name})`);
  return user;
}
