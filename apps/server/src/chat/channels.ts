import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { isPaid, listLobbies } from '../lobbies/lobby-rows.ts';
import type { Database } from '../platform/database/open-database.ts';

/** Where a message belongs: the menu, or the arena of a lobby. */
export type ChatChannel = typeof GLOBAL_CHANNEL | LobbyId;

/** The channel with that id if it is public. The chat of a semi-private lobby is not. */
export async function findPublicChannel(db: Database, id: string): Promise<ChatChannel | undefined> {
  if (id === GLOBAL_CHANNEL) return GLOBAL_CHANNEL;
  const lobby = (await listLobbies(db)).find((candidate) => candidate.id === id);
  return lobby && lobby.lobbyType !== 'semi-private' ? lobby.id : undefined;
}

/** The channel with that id if the menu may write to it. In paid lobbies nobody talks to the players from outside. */
export async function findOpenChannel(db: Database, id: string): Promise<ChatChannel | undefined> {
  if (id === GLOBAL_CHANNEL) return GLOBAL_CHANNEL;
  const lobby = (await listLobbies(db)).find((candidate) => candidate.id === id);
  return lobby && lobby.lobbyType === 'free' && !isPaid(lobby) ? lobby.id : undefined;
}
