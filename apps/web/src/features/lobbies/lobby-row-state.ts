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
  /** Undefined while the pool is unknown. */
  readonly poolTotal: bigint | undefined;
  readonly canEnter: boolean;
  readonly canSpectate: boolean;
  /** The region, or when the lobby opens. */
  readonly subtitle: string;
  readonly action: string;
};

export function lobbyRowState(
  lobby: Lobby,
  { pulse, nowMs, isSignedIn }: { pulse: LobbyPulse | undefined; nowMs: number; isSignedIn: boolean },
): LobbyRowState {
  const live = isLive(pulse, nowMs);
  const seats = { current: live ? pulse.totalPlayers : 0, max: parseSeats(lobby.players).max };
  const kind = rowKind(lobby, live, seats, nowMs);
  const isJoinable = kind === 'open' || kind === 'lastSeat';
  return {
    kind,
    seats,
    bots: live ? pulse.totalBots : 0,
    poolTotal: live && (isJoinable || kind === 'full') ? pulse.poolTotal : undefined,
    canEnter: isJoinable,
    // Watching a semi-private lobby takes its code, which is only asked for when entering.
    canSpectate: (isJoinable || kind === 'full') && lobby.lobbyType !== 'semi-private',
    subtitle: subtitleOf(lobby, kind, nowMs),
    action: actionOf(lobby, kind, isSignedIn),
  };
}

function rowKind(lobby: Lobby, live: boolean, seats: LobbyRowState['seats'], nowMs: number): LobbyRowKind {
  if (lobby.isLocked) return 'locked';
  if (!isLobbyOpen(lobby, nowMs)) return 'closed';
  if (!live) return 'offline';
  if (isLobbyFull(seats)) return 'full';
  return seats.max - seats.current === 1 ? 'lastSeat' : 'open';
}

function subtitleOf(lobby: Lobby, kind: LobbyRowKind, nowMs: number): string {
  if (kind === 'locked') return TEXT.lobbies.locked;
  if (kind === 'closed') return closedText(lobby, nowMs) ?? TEXT.lobbies.closed;
  if (lobby.lobbyType === 'semi-private') return TEXT.lobbies.semiPrivateIn(lobby.region);
  return lobby.region ?? TEXT.lobbies.anywhere;
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
