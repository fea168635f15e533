import type { Failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import type { JoinOptions } from '@engulf/protocol/room/join';
import type { Connection } from '../connection.ts';
import type { Visitor } from '../entrance/entrance.ts';
import type { Match, NewMatch } from '../match/match.ts';
import type { ArrivingMatch, GameDeps } from '../ports.ts';
import type { Guest } from '../sockets/ingress.ts';

/** What a room starts with. */
export type RoomStart = NewMatch | ArrivingMatch;

/** An open room, as its host knows it. */
export type OpenRoom = {
  readonly match: Match;
  /** Internal errors are logged; the client only gets a code. */
  join(options: JoinOptions, connection: Connection, visitor: Visitor): Promise<Result<Guest, Failure>>;
  /** Undefined if the token is of another room, or of nobody any more. */
  resume(token: string, connection: Connection): Result<Guest, Failure> | undefined;
  /** Ends the match if it still runs. Resolves when the room is closed. */
  close(closeCode: number): Promise<void>;
  /** Expels the user, as if they had left. */
  expel(userId: UserId, reason: string): void;
  /** Gives the match to another process. False if none took it; the match then continues here. */
  moveAway(): Promise<boolean>;
};

/** What a room needs from whoever decides which lobbies have one. */
export type RoomHost = {
  readonly deps: GameDeps;
  /** The room is closed. */
  release(lobbyId: LobbyId): void;
  /** The room's match continues in another process. `emptied` resolves when all its people have left. */
  forget(lobbyId: LobbyId, emptied: Promise<unknown>): void;
  /** Closes the user's connections to games that are over, in all rooms. */
  dismissUser(userId: UserId): void;
};
