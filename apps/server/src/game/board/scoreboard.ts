import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { PlayerId } from '@engulf/sim/players';
import type { Match } from '../match/match.ts';
import { nameOf } from '../match/roster.ts';
import type { Connection } from '../room/connection.ts';
import { readStandings } from './standings.ts';

/** What was last said about the standings, so that only changes are sent. */
export type Scoreboard = {
  leaderboard: RoomServerPayload<'leaderboard'> | undefined;
  leaderboardText: string;
  readonly rankTexts: Map<PlayerId, string>;
};

export function createScoreboard(): Scoreboard {
  return { leaderboard: undefined, leaderboardText: '', rankTexts: new Map() };
}

/** To be called every second: tells everybody the leaderboard and each player the own rank, if they changed. */
export function publishStandings(match: Match): void {
  const { scoreboard, roster, world, lobby } = match;
  const { leaderboard, ranking } = readStandings(world, lobby, (player) => nameOf(roster, player));
  const text = JSON.stringify(leaderboard);
  if (text !== scoreboard.leaderboardText) {
    scoreboard.leaderboard = leaderboard;
    scoreboard.leaderboardText = text;
    match.announce('leaderboard', leaderboard);
  }
  ranking.forEach(({ player, reward }, index) => {
    const connection = roster.byPlayer.get(player)?.connection;
    if (connection) tellRank(scoreboard, connection, player, { rank: index + 1, reward });
  });
}

/** What a newcomer, or someone who is back, has missed. */
export function catchUpStandings({ scoreboard }: Match, connection: Connection, player?: PlayerId): void {
  if (scoreboard.leaderboard) connection.send('leaderboard', scoreboard.leaderboard);
  if (player !== undefined) scoreboard.rankTexts.delete(player);
}

export function forgetRank({ scoreboard }: Match, player: PlayerId): void {
  scoreboard.rankTexts.delete(player);
}

function tellRank(
  { rankTexts }: Scoreboard,
  connection: Connection,
  player: PlayerId,
  rank: RoomServerPayload<'personalRank'>,
): void {
  const text = `${rank.rank} ${rank.reward}`;
  if (rankTexts.get(player) === text) return;
  rankTexts.set(player, text);
  connection.send('personalRank', rank);
}
