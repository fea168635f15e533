import type { Lobby } from '@engulf/protocol/lobby';
import { useLobbyStore } from './stores/menu-stores.ts';
import { TEXT } from './text.ts';
import { shownWay, useWays } from './ways.ts';

/** The lobby's region and the way to it, where they are worth a word. */
export function usePlaceText(lobby: Lobby): string | undefined {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const wayMs = shownWay(lobby, lobbies ?? [], useWays());
  if (wayMs === undefined) return lobby.region ?? undefined;
  return TEXT.lobbies.away(lobby.region ?? TEXT.lobbies.anywhere, wayMs);
}
