import type { Match } from '../match/match.ts';
import { readPool } from './standings.ts';

/** People who hold a seat in this match; bots are not counted, they make room. */
export function countPeople({ roster }: Match): number {
  let people = 0;
  for (const { state } of roster.byEntry.values()) if (state !== 'over') people++;
  return people;
}

/** Tells the menu that the lobby is alive. A silent one counts as offline after a few seconds. */
export function publishLive(match: Match): void {
  match.ports.setLobbyLive(match.lobby.id, {
    totalPlayers: countPeople(match),
    poolTotal: readPool(match.world),
  });
}
