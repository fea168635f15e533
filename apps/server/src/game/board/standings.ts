import { formatAmount } from '@engulf/domain/money/amount';
import { rewardText } from '@engulf/domain/money/reward-text';
import { changeOfLeaderboard, type RoomLeaderboard } from '@engulf/protocol/room/room-leaderboard';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { moneyInPlay } from '@engulf/sim/mechanics/bounty';
import { type PlayerId, playerId } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import type { Announce, Connection } from '../connection.ts';
import type { GameLobby } from '../ports.ts';

/** The players' bounties and what was last sent about them, so that only changes are sent. */
export type Standings = {
  readonly world: World;
  readonly lobby: GameLobby;
  readonly nameOf: (player: PlayerId) => string;
  /** As of the latest leaderboard. */
  ranking: readonly Ranked[];
  leaderboard: RoomLeaderboard | undefined;
  rankTexts: Map<PlayerId, string>;
};

export function createStandings(
  world: World,
  lobby: GameLobby,
  nameOf: (player: PlayerId) => string,
): Standings {
  return { world, lobby, nameOf, ranking: [], leaderboard: undefined, rankTexts: new Map() };
}

/** Call every second or two: sends everyone what changed in the leaderboard. */
export function publishLeaderboard(standings: Standings, announce: Announce): void {
  standings.ranking = rankPlayers(standings);
  const leaderboard = toLeaderboard(standings, standings.ranking);
  // Newcomers are sent what everybody else has, so a change means the same to all.
  const change = standings.leaderboard && changeOfLeaderboard(standings.leaderboard, leaderboard);
  if (!standings.leaderboard) announce('leaderboard', leaderboard);
  else if (change) announce('leaderboardChange', change);
  standings.leaderboard = leaderboard;
}

/** Call after each leaderboard, in the same tick or a later one: sends each player a rank that is new. */
export function publishRanks(
  standings: Standings,
  connectionOf: (player: PlayerId) => Connection | undefined,
): void {
  const sentBefore = standings.rankTexts;
  standings.rankTexts = new Map();
  standings.ranking.forEach(({ player, reward }, index) => {
    const connection = connectionOf(player);
    if (!connection) return;
    const rank = { rank: index + 1, reward };
    const rankText = `${rank.rank} ${reward}`;
    standings.rankTexts.set(player, rankText);
    if (sentBefore.get(player) !== rankText) connection.send('personalRank', rank);
  });
}

/** For a connection that has just been made: sends the leaderboard now and the player's rank with the next one. */
export function sendStandings(standings: Standings, connection: Connection, player?: PlayerId): void {
  if (standings.leaderboard) connection.send('leaderboard', standings.leaderboard);
  if (player !== undefined) standings.rankTexts.delete(player);
}

/** Everyone in the arena, and how many of them are bots. */
export function populationOf({ players }: World): { totalPlayers: number; totalBots: number } {
  return { totalPlayers: players.livingCount, totalBots: players.botCount };
}

/** An amount of the lobby's money as players read it: 'amount(xN)'. */
export function rewardOf(lobby: GameLobby, amount: bigint): string {
  return rewardText(amount, lobby.token, lobby.multiplierBasis);
}

type Ranked = { readonly player: PlayerId; readonly reward: string; readonly mass: number };

/**
 * The living: the richest first, and in a free lobby the heaviest. Ties keep the order of their slots, and masses are rounded:
 * otherwise the leaderboard would have to be sent every second.
 */
function rankPlayers({ world, lobby }: Standings): Ranked[] {
  const { players } = world;
  const massOf = (slot: number) => roundMass(players.massMilli[slot]! / MILLI);
  const compare = lobby.isFree
    ? (a: number, b: number) => massOf(b) - massOf(a)
    : (a: number, b: number) => compareAmounts(players.bounty[b]!, players.bounty[a]!);
  return livingSlots(world)
    .sort((a, b) => compare(a, b) || a - b)
    .map((slot) => ({
      player: playerId(players, slot),
      reward: rewardOf(lobby, players.bounty[slot]!),
      mass: massOf(slot),
    }));
}

/** To two digits. */
function roundMass(mass: number): number {
  const unit = mass < 100 ? 1 : mass < 1_000 ? 10 : 100;
  return Math.round(mass / unit) * unit;
}

function toLeaderboard({ world, lobby, nameOf }: Standings, ranking: readonly Ranked[]): RoomLeaderboard {
  const pool = moneyInPlay(world);
  return {
    leaderboard: ranking.slice(0, ROOM_LEADERBOARD_ROWS).map(({ player, reward, mass }, index) => ({
      name: nameOf(player),
      reward: lobby.isFree ? mass.toLocaleString('en-US') : reward,
      position: index + 1,
    })),
    ...populationOf(world),
    poolTotal: pool.toString(),
    pool: formatAmount(pool, lobby.token),
  };
}

function livingSlots({ players }: World): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < players.top; slot++) if (players.isAlive[slot]) slots.push(slot);
  return slots;
}

function compareAmounts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
