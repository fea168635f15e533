import { rejoinMatch } from '@engulf/protocol/http/join-lobby';
import { callApi } from '../../shared/api/call-api.ts';
import { latestLobby } from '../../shared/stores/menu-stores.ts';
import type { ArenaVisit } from './arena-visit.ts';

/** A request over a dead network may hang for minutes, while a new one may get through. */
const ASK_WITHIN_MS = 2_000;

/** Where a match that left its process continues. Undefined if that is not known, or the match is over. */
export async function findMatch(visit: ArenaVisit): Promise<ArenaVisit | undefined> {
  if (visit.type === 'spectator') return renewLobby(visit);
  const answer = await callApi(rejoinMatch, { withinMs: ASK_WITHIN_MS });
  // The user may have a seat elsewhere by now.
  if (!answer.ok || answer.value.lobbyId !== visit.lobby.id) return undefined;
  const { joinTicket, baseGame } = answer.value;
  return { ...visit, joinTicket, lobby: { ...visit.lobby, baseGame } };
}

/** The visit with the menu's current data of its lobby. */
export function renewLobby(visit: ArenaVisit): ArenaVisit {
  return { ...visit, lobby: latestLobby(visit.lobby) };
}
