import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { isPaid, type LobbyRow, listLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { rememberFor } from '../platform/remember.ts';

/** Where a message belongs: the menu, or the arena of a lobby. */
export type ChatChannel = typeof GLOBAL_CHANNEL | LobbyId;

export type Channels = {
  /** The channel with that id if it is public. The chat of a semi-private lobby is not. */
  findPublic(id: string): Promise<ChatChannel | undefined>;
  /** The channel with that id if the menu may write to it. In paid lobbies nobody talks to the players from outside. */
  findOpen(id: string): Promise<ChatChannel | undefined>;
};

/** Anybody may ask for any lobby. */
const MEMORY = { ms: 1_000, maxKeys: 1 } as const;

export function createChannels({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Channels {
  const lobbies = rememberFor({ ...MEMORY, nowMs }, () => listLobbies(db));
  const find = async (id: string, isMeant: (lobby: LobbyRow) => boolean) => {
    if (id === GLOBAL_CHANNEL) return GLOBAL_CHANNEL;
    return (await lobbies(undefined)).find((lobby) => lobby.id === id && isMeant(lobby))?.id;
  };
  return {
    findPublic: (id) => find(id, ({ lobbyType }) => lobbyType !== 'semi-private'),
    findOpen: (id) => find(id, (lobby) => lobby.lobbyType === 'free' && !isPaid(lobby)),
  };
}
