import { rejoinMatch } from '@engulf/protocol/http/join-lobby';
import { callApi } from '../../shared/api/call-api.ts';
import { latestLobby } from '../../shared/stores/menu-stores.ts';
import type { ArenaVisit } from './arena-visit.ts';

/** A request through a network that is gone may hang for minutes. The next one may find another way. */
const ASK_WITHIN_MS = 2_000;

/** Where a match goes on that left its process. Undefined if that is not known, or the match is over. */
export async function findMatch(visit: ArenaVisit): Promise<ArenaVisit | undefined> {
  if (visit.type === 'spectator') return renewLobby(visit);
  const answer = await callApi(rejoinMatch, { withinMs: ASK_WITHIN_MS });
  // The user may have a seat elsewhere by now.
  if (!answer.ok || answer.value.lobbyId !== visit.lobby.id) return undefined;
  const { joinTicket, baseGame } = answer.value;
  return { ...visit, joinTicket, lobby: { ...visit.lobby, baseGame } };
}

/** The visit with what the menu knows of its lobby by now. */
export function renewLobby(visit: ArenaVisit): ArenaVisit {
  return { ...visit, lobby: latestLobby(visit.lobby) };
}
