import {
  changeLeaderboard,
  type LeaderboardChange,
  type RoomLeaderboard,
} from '@engulf/protocol/room/room-leaderboard';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { playerId } from '@engulf/sim/players';
import { expect, test } from 'vitest';
import { QUICK_RULES } from '../../../testing/game/arena-server.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { Announce, Connection } from '../connection.ts';
import { createStandings, publishLeaderboard, publishRanks, sendStandings } from './standings.ts';

function openStandings() {
  const world = createWorld({ key: numberedKey(1), rules: QUICK_RULES, spill: 3n });
  for (let i = 0; i < 10; i++) applyCommand(world, { type: 'join', stake: 50_000_000n });
  const standings = createStandings(world, paidLobby(), (player) => `slot${player % 65_536}`);
  const leaderboards: RoomLeaderboard[] = [];
  /** The leaderboard of a client that received every message from the beginning. */
  const announce: Announce = (type, payload) => {
    if (type === 'leaderboard') leaderboards.push(payload as RoomLeaderboard);
    else leaderboards.push(changeLeaderboard(leaderboards.at(-1)!, payload as LeaderboardChange)!);
  };
  const sentToFive: unknown[] = [];
  const five = playerId(world.players, 5);
  const connection: Connection = {
    send: (_type, payload) => void sentToFive.push(payload),
    sendState: () => {},
    canTakeState: () => true,
    address: '',
    kick: () => {},
    expel: () => {},
    close: async () => {},
    refuse: () => {},
    isText: false,
  };
  const publish = () => {
    publishLeaderboard(standings, announce);
    publishRanks(standings, (player) => (player === five ? connection : undefined));
  };
  return { world, standings, leaderboards, connection, five, sentToFive, publish };
}

test('the leaderboard ranks by bounty, not by mass, and its pool includes the spill', () => {
  const { world, leaderboards, sentToFive, publish } = openStandings();
  world.players.bounty[4] = 90_000_000n;
  world.players.bounty[5] = 10_000_000n;
  world.players.massMilli[7] = 80_000;
  publish();
  expect(leaderboards).toMatchObject([{ totalPlayers: 10, poolTotal: '500000003', pool: '0.500' }]);
  const { leaderboard } = leaderboards[0]!;
  expect(leaderboard).toHaveLength(8);
  expect(leaderboard.slice(0, 3)).toEqual([
    { name: 'slot4', reward: '0.090(x1.80)', position: 1 },
    { name: 'slot0', reward: '0.050(x1.00)', position: 2 },
    { name: 'slot1', reward: '0.050(x1.00)', position: 3 },
  ]);
  expect(sentToFive).toEqual([{ rank: 10, reward: '0.010(x0.20)' }]);
});

test('standings are sent only when they change, and again after a reconnect', () => {
  const { world, standings, leaderboards, connection, five, sentToFive, publish } = openStandings();
  publish();
  publish();
  expect(leaderboards).toHaveLength(1);
  expect(sentToFive).toEqual([{ rank: 6, reward: '0.050(x1.00)' }]);
  world.players.bounty[5] = 60_000_000n;
  publish();
  expect(leaderboards).toHaveLength(2);
  expect(sentToFive.slice(1)).toEqual([{ rank: 1, reward: '0.060(x1.20)' }]);
  sendStandings(standings, connection, five);
  publish();
  expect(leaderboards).toHaveLength(2);
  expect(sentToFive.slice(2)).toEqual([leaderboards[1], { rank: 1, reward: '0.060(x1.20)' }]);
});
