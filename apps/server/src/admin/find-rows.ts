import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import { eq, inArray, or, sql } from 'drizzle-orm';
import { findLobby, type LobbyRow, listAllLobbies } from '../lobbies/lobby-rows.ts';
import { type PayoutRow, payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { Refusal, UsageError } from './command.ts';

/*
 * Finds what an operator names.
 */

/** By name, by its id on the chain (`#7`), or by its own id, which also finds removed lobbies. */
export async function requireLobby(db: Database, text: string): Promise<LobbyRow> {
  const byId = isUuid(text) ? await findLobby(db, text as LobbyId) : undefined;
  if (byId) return byId;
  const all = (await listAllLobbies(db)).filter(({ stage }) => stage !== 'removed');
  const found = all.find(
    ({ name, chainLobbyId }) =>
      name.toLowerCase() === text.toLowerCase() || (chainLobbyId !== null && `#${chainLobbyId}` === text),
  );
  if (found) return found;
  const names = all.map(({ name }) => `"${name}"`).join(', ') || 'none yet';
  throw new Refusal(`There is no lobby "${text}". Lobbies: ${names}.`);
}

/** By wallet, name or id. */
export async function requireUser(db: Database, text: string): Promise<UserRow> {
  const isNamed = or(
    sql`${users.walletAddress} = ${text}`,
    sql`lower(${users.name}) = lower(${text})`,
    isUuid(text) ? eq(users.id, text as UserId) : undefined,
  );
  const [user] = await db.select().from(users).where(isNamed);
  if (user) return user;
  throw new Refusal(`There is no user with the wallet, name or id "${text}".`);
}

export async function requirePayouts(db: Database, ids: readonly string[]): Promise<PayoutRow[]> {
  const bad = ids.find((id) => !isUuid(id));
  if (bad !== undefined)
    throw new UsageError(`"${bad}" is not the id of a payout. See: npm run engulf -- payouts list`);
  const rows = await db
    .select()
    .from(payouts)
    .where(inArray(payouts.id, [...ids]));
  const missing = ids.find((id) => !rows.some((row) => row.id === id.toLowerCase()));
  if (missing !== undefined) throw new Refusal(`There is no payout ${missing}.`);
  return rows;
}
