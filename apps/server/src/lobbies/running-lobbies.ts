import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Context } from '../platform/context.ts';
import { lobbyLeases } from '../platform/database/games.ts';

/** Every lobby that some process runs. */
export async function listRunningLobbies({ db }: Pick<Context, 'db'>): Promise<readonly LobbyId[]> {
  const rows = await db.select({ lobbyId: lobbyLeases.lobbyId }).from(lobbyLeases);
  return rows.map(({ lobbyId }) => lobbyId);
}
