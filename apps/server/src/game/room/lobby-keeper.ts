import { CloseCode, matchMaker } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { closesAtMs, isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { closeIn, type Match } from '../match/match.ts';
import type { Game, GameDeps, GameLobby } from '../ports.ts';
import type { RoomHost } from './room-host.ts';
import { ROOM_LIMITS } from './room-limits.ts';

type Running = { readonly match: Match; readonly end: (closeCode: number) => Promise<void> };

export type LobbyKeeper = Game &
  RoomHost & {
    /** Looks at the lobbies now, and from then on every few seconds. */
    start(): Promise<void>;
  };

/** Gives every open lobby a room, and tells the rooms when their lobby is about to close. */
export function createLobbyKeeper(deps: GameDeps): LobbyKeeper {
  const { ports, logger } = deps;
  let lobbies = new Map<LobbyId, GameLobby>();
  /** Undefined while the room is being made. */
  const rooms = new Map<LobbyId, Running | undefined>();
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();
  let isStopped = false;

  async function check(): Promise<void> {
    lobbies = new Map((await ports.listLobbies()).map((lobby) => [lobby.id, lobby]));
    const nowMs = Date.now();
    for (const [lobbyId, running] of rooms) {
      if (running) followSchedule(running.match, lobbies.get(lobbyId), nowMs);
    }
    for (const lobby of lobbies.values()) {
      if (!isStopped && !rooms.has(lobby.id) && isLobbyOpen(lobby, nowMs)) await openRoom(lobby.id);
    }
  }

  /** A lobby that cannot be opened stays offline until the next look; the others do not wait for it. */
  async function openRoom(lobbyId: LobbyId): Promise<void> {
    try {
      await matchMaker.createRoom(ROOM_NAME, { lobbyId, protocolVersion: PROTOCOL_VERSION });
    } catch (error) {
      logger.error({ err: error, lobbyId }, 'a lobby could not be opened');
    }
  }

  function checkAgainLater(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      checking = check()
        .catch((error: unknown) => logger.error({ err: error }, 'the lobbies could not be looked after'))
        .then(checkAgainLater);
    }, ROOM_LIMITS.lobbyCheckMs);
  }

  return {
    deps,
    start: async () => {
      await check();
      checkAgainLater();
    },
    claim: (lobbyId) => {
      const lobby = lobbies.get(lobbyId as LobbyId);
      if (!lobby) return err(failure('LOBBY_NOT_FOUND'));
      if (!isLobbyOpen(lobby, Date.now())) return err(failure('LOBBY_CLOSED'));
      if (isStopped || rooms.has(lobby.id)) return err(failure('LOBBY_OFFLINE'));
      rooms.set(lobby.id, undefined);
      return ok(lobby);
    },
    opened: (match, end) => {
      rooms.set(match.lobby.id, { match, end });
      logger.info({ lobbyId: match.lobby.id, matchId: match.id }, 'a lobby opened');
    },
    release: (lobbyId) => {
      rooms.delete(lobbyId);
      logger.info({ lobbyId }, 'a room closed');
    },
    close: async () => {
      isStopped = true;
      clearTimeout(timer);
      await checking;
      await Promise.all([...rooms.values()].map((running) => running?.end(CloseCode.SERVER_SHUTDOWN)));
    },
  };
}

function followSchedule(match: Match, lobby: GameLobby | undefined, nowMs: number): void {
  if (!lobby || !isLobbyOpen(lobby, nowMs)) {
    closeIn(match, ROOM_LIMITS.drainSeconds);
    return;
  }
  const closingMs = closesAtMs(lobby, nowMs);
  if (closingMs === undefined) return;
  const secondsLeft = (closingMs - nowMs) / 1000;
  if (secondsLeft <= ROOM_LIMITS.announceClosingSeconds) closeIn(match, secondsLeft);
}
