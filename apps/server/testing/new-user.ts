import { randomUUID } from 'node:crypto';
import { userId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { openSession } from '../src/accounts/sessions.ts';
import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/open-database.ts';
import { type UserRow, users } from '../src/platform/database/people.ts';
import { randomBase58 } from './random-base58.ts';

/** A user without a wallet that anybody holds. */
export async function newUser(
  db: Database,
  change: Partial<typeof users.$inferInsert> = {},
): Promise<UserRow> {
  const id = userId(randomUUID());
  const wallet = walletAddress(randomBase58(32));
  const [user] = await db
    .insert(users)
    .values({ id, walletAddress: wallet, name: id.slice(0, 10), ...change })
    .returning();
  return user!;
}

/** With a session, as whoever makes calls has. */
export async function newSignedInUser(
  context: Pick<Context, 'db' | 'nowMs'>,
  change: Partial<typeof users.$inferInsert> = {},
): Promise<UserRow> {
  const user = await newUser(context.db, change);
  await openSession(context, context.db, user.id);
  return user;
}
