import type { Failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Match } from '../match/match.ts';
import type { GameDeps, GameLobby } from '../ports.ts';

/** What a room needs from whoever decides which lobbies have one. */
export type RoomHost = {
  readonly deps: GameDeps;
  /** Grants the one room of a lobby, if that is open and has none. */
  claim(lobbyId: unknown): Result<GameLobby, Failure<'LOBBY_NOT_FOUND' | 'LOBBY_CLOSED' | 'LOBBY_OFFLINE'>>;
  opened(match: Match, end: (closeCode: number) => Promise<void>): void;
  release(lobbyId: LobbyId): void;
};
