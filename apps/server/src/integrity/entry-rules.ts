import { type Failure, failure } from '@engulf/domain/errors/registry';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, countDistinct, eq, inArray, ne, or } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, LIVE_STATES, lobbies } from '../platform/database/games.ts';
import { type CaseRow, integrityLobbyRules, integritySeparations } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { alsoApart } from './standing-cases.ts';

const DAY_MS = 86_400_000;

export type IntegrityRefusal = Failure<'KEPT_APART' | 'ADDRESS_ACCOUNTS_LIMIT' | 'ACCOUNT_TOO_NEW'>;

/** Why somebody may not take a seat in a paid lobby. Called with the lobby locked, so that two cannot slip in together. */
export async function integrityRefusal(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  {
    user,
    lobbyId,
    address,
  }: {
    readonly user: Pick<UserRow, 'id' | 'createdAt'>;
    readonly lobbyId: LobbyId;
    readonly address: string | null;
  },
): Promise<IntegrityRefusal | undefined> {
  if (await meetsSeparated(tx, user.id, lobbyId)) return failure('KEPT_APART');
  const [rules] = await tx.select().from(integrityLobbyRules).where(eq(integrityLobbyRules.lobbyId, lobbyId));
  if (!rules) return undefined;
  const { accountsPerAddress, minAccountDays, minFreeGames } = rules;
  if (accountsPerAddress !== null && address !== null) {
    const seated = await accountsOf(tx, { address, lobbyId, except: user.id });
    if (seated >= accountsPerAddress) return failure('ADDRESS_ACCOUNTS_LIMIT');
  }
  if (minAccountDays === null && minFreeGames === null) return undefined;
  const isOld =
    minAccountDays !== null && context.nowMs() - user.createdAt.getTime() >= minAccountDays * DAY_MS;
  if (isOld || (minFreeGames !== null && (await freeGamesOf(tx, user.id)) >= minFreeGames)) return undefined;
  return failure('ACCOUNT_TOO_NEW', { days: minAccountDays, games: minFreeGames });
}

/** Whom somebody may not meet in a paid lobby. */
export async function keptApartFrom(tx: Database, userId: UserId): Promise<UserId[]> {
  const others = await tx
    .select({ one: integritySeparations.one, two: integritySeparations.two })
    .from(integritySeparations)
    .where(or(eq(integritySeparations.one, userId), eq(integritySeparations.two, userId)));
  return others.map(({ one, two }) => (one === userId ? two : one));
}

async function meetsSeparated(tx: Database, userId: UserId, lobbyId: LobbyId): Promise<boolean> {
  const ids = await keptApartFrom(tx, userId);
  if (ids.length === 0) return false;
  const [seated] = await tx
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(eq(entries.lobbyId, lobbyId), inArray(entries.userId, ids), inArray(entries.state, LIVE_STATES)),
    )
    .limit(1);
  return seated !== undefined;
}

async function accountsOf(
  tx: Database,
  {
    address,
    lobbyId,
    except,
  }: { readonly address: string; readonly lobbyId: LobbyId; readonly except: UserId },
): Promise<number> {
  const [row] = await tx
    .select({ count: countDistinct(entries.userId) })
    .from(entries)
    .where(
      and(
        eq(entries.addressHash, address),
        eq(entries.lobbyId, lobbyId),
        ne(entries.userId, except),
        inArray(entries.state, LIVE_STATES),
      ),
    );
  return row!.count;
}

async function freeGamesOf(tx: Database, userId: UserId): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(and(eq(entries.userId, userId), eq(entries.state, 'ended'), eq(lobbies.lobbyType, 'free')));
  return row!.count;
}

/** What a lobby asks, for the operator to set. Nulls ask nothing. */
export async function setLobbyRules(
  tx: Database,
  lobbyId: LobbyId,
  rules: Omit<typeof integrityLobbyRules.$inferSelect, 'lobbyId'>,
): Promise<void> {
  await tx
    .insert(integrityLobbyRules)
    .values({ lobbyId, ...rules })
    .onConflictDoUpdate({ target: integrityLobbyRules.lobbyId, set: rules });
}

/** Two accounts are kept apart from now on. */
export async function separate(
  tx: Database,
  [first, second]: readonly [UserId, UserId],
  caseId: string,
  nowMs: number,
): Promise<void> {
  const [one, two] = first < second ? [first, second] : [second, first];
  await tx
    .insert(integritySeparations)
    .values({ one, two, caseId, createdAt: new Date(nowMs) })
    .onConflictDoNothing();
}

/** What a case had separated may meet again, unless another one keeps them apart. */
export async function reunite(tx: Database, row: CaseRow): Promise<void> {
  const isOfCase = eq(integritySeparations.caseId, row.id);
  const also = await alsoApart(tx, row);
  if (also) await tx.update(integritySeparations).set({ caseId: also.id }).where(isOfCase);
  else await tx.delete(integritySeparations).where(isOfCase);
}
