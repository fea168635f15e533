import { isLobbyFull, parseSeats } from '@engulf/domain/lobby/lobby-type';
import { closedText, isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import type { Lobby } from '@engulf/protocol/lobby';
import { isFreeLobby } from '../../shared/lobby-money.ts';
import { isLive, type LobbyPulse } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';

export type LobbyRowKind = 'open' | 'lastSeat' | 'full' | 'closed' | 'locked' | 'offline';

export type LobbyRowState = {
  readonly kind: LobbyRowKind;
  readonly seats: { readonly current: number; readonly max: number };
  /** Besides the people in the seats; they make room. */
  readonly bots: number;
  /** People who wait for a game to begin. */
  readonly gathering: number;
  /** Undefined while the pool is unknown. */
  readonly poolTotal: bigint | undefined;
  readonly canEnter: boolean;
  readonly canSpectate: boolean;
  /** The region and the way to it, or when the lobby opens. */
  readonly subtitle: string;
  readonly action: string;
};

type Circumstances = {
  readonly pulse: LobbyPulse | undefined;
  readonly nowMs: number;
  readonly isSignedIn: boolean;
  /** Until the body of the match that the player has left is gone. */
  readonly readyInS?: number;
  /** How far away it is, if that is to be shown. */
  readonly wayMs?: number | undefined;
};

export function lobbyRowState(
  lobby: Lobby,
  { pulse, nowMs, isSignedIn, readyInS = 0, wayMs }: Circumstances,
): LobbyRowState {
  const live = isLive(pulse, nowMs);
  const seats = { current: live ? pulse.totalPlayers : 0, max: parseSeats(lobby.players).max };
  const kind = rowKind(lobby, live, seats, nowMs);
  const isJoinable = kind === 'open' || kind === 'lastSeat';
  return {
    kind,
    seats,
    bots: live ? pulse.totalBots : 0,
    gathering: live ? (pulse.gathering?.count ?? 0) : 0,
    poolTotal: live && (isJoinable || kind === 'full') ? pulse.poolTotal : undefined,
    canEnter: isJoinable,
    // Watching a semi-private lobby takes its code, which is only asked for when entering.
    canSpectate: (isJoinable || kind === 'full') && lobby.lobbyType !== 'semi-private',
    subtitle: subtitleOf(lobby, kind, nowMs, wayMs),
    action:
      isJoinable && isSignedIn && readyInS > 0
        ? TEXT.lobbies.readyIn(readyInS)
        : actionOf(lobby, kind, isSignedIn),
  };
}

function rowKind(lobby: Lobby, live: boolean, seats: LobbyRowState['seats'], nowMs: number): LobbyRowKind {
  if (lobby.isLocked) return 'locked';
  if (!isLobbyOpen(lobby, nowMs)) return 'closed';
  if (!live) return 'offline';
  if (isLobbyFull(seats)) return 'full';
  return seats.max - seats.current === 1 ? 'lastSeat' : 'open';
}

function subtitleOf(lobby: Lobby, kind: LobbyRowKind, nowMs: number, wayMs: number | undefined): string {
  if (kind === 'locked') return TEXT.lobbies.locked;
  if (kind === 'closed') return closedText(lobby, nowMs) ?? TEXT.lobbies.closed;
  const region =
    lobby.lobbyType === 'semi-private'
      ? TEXT.lobbies.semiPrivateIn(lobby.region)
      : (lobby.region ?? TEXT.lobbies.anywhere);
  return wayMs === undefined ? region : TEXT.lobbies.away(region, wayMs);
}

function actionOf(lobby: Lobby, kind: LobbyRowKind, isSignedIn: boolean): string {
  switch (kind) {
    case 'locked':
      return TEXT.lobbies.comingSoon;
    case 'closed':
      return TEXT.lobbies.closed;
    case 'offline':
      return TEXT.lobbies.offline;
    case 'full':
      return TEXT.lobbies.lobbyFull;
    case 'open':
    case 'lastSeat':
      if (!isSignedIn) return TEXT.lobbies.connect;
      if (lobby.lobbyType === 'semi-private') return TEXT.lobbies.enterCode;
      return isFreeLobby(lobby) ? TEXT.lobbies.play : TEXT.lobbies.payAndPlay;
  }
}
