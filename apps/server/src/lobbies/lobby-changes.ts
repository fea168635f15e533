import { and, eq } from 'drizzle-orm';
import { lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { LobbyRow } from './lobby-rows.ts';

/*
 * The only writer of lobbies. A lobby is created, ready, being removed, removed; each step
 * is a compare-and-set, so that two operators cannot take the same one.
 */

const NEXT_STAGES: { readonly [stage in LobbyRow['stage']]: readonly LobbyRow['stage'][] } = {
  creating: ['ready', 'removing'],
  ready: ['ready', 'removing'],
  removing: ['removing', 'removed'],
  removed: [],
};

type LobbyFields = Partial<
  Pick<
    LobbyRow,
    | 'entryFee'
    | 'nextEntryFee'
    | 'claimsInOrder'
    | 'isLocked'
    | 'drainsAtMs'
    | 'dailyOpenWindows'
    | 'lobbyCode'
    | 'gatherSize'
    | 'region'
    | 'stage'
  >
>;

export async function insertLobby(tx: Database, row: typeof lobbies.$inferInsert): Promise<LobbyRow> {
  const [inserted] = await tx.insert(lobbies).values(row).returning();
  return inserted!;
}

/** Throws if the lobby has left the stage it was read in; the transaction must not commit then. */
export async function changeLobby(
  tx: Database,
  { id, stage }: Pick<LobbyRow, 'id' | 'stage'>,
  fields: LobbyFields,
): Promise<LobbyRow> {
  const next = fields.stage ?? stage;
  if (!NEXT_STAGES[stage].includes(next))
    throw new Error(`The lobby ${id} is ${stage} and cannot become ${next}`);
  const [changed] = await tx
    .update(lobbies)
    .set(fields)
    .where(and(eq(lobbies.id, id), eq(lobbies.stage, stage)))
    .returning();
  if (!changed) throw new Error(`The lobby ${id} is no longer ${stage}`);
  return changed;
}
