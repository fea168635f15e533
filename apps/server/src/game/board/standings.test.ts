import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { expect, test } from 'vitest';
import { QUICK_RULES } from '../testing/arena-server.ts';
import { paidLobby } from '../testing/memory-ports.ts';
import { readStandings } from './standings.ts';

test('ranks by bounty, and growing changes nothing; the pool holds what waits to be shared too', () => {
  const world = createWorld({ seed: 1, rules: QUICK_RULES, spill: 3n });
  for (let i = 0; i < 10; i++) applyCommand(world, { type: 'join', stake: 50_000_000n });
  world.players.bounty[4] = 90_000_000n;
  world.players.bounty[5] = 10_000_000n;
  world.players.massMilli[7] = 80_000;
  const { leaderboard, ranking } = readStandings(world, paidLobby(), (player) => `slot${player % 65_536}`);
  expect(ranking).toHaveLength(10);
  expect(ranking.at(-1)!.reward).toBe('0.010(x0.20)');
  expect(leaderboard).toMatchObject({ totalPlayers: 10, poolTotal: '500000003', pool: '0.500' });
  expect(leaderboard.leaderboard).toHaveLength(8);
  expect(leaderboard.leaderboard.slice(0, 3)).toEqual([
    { name: 'slot4', reward: '0.090(x1.80)', position: 1 },
    { name: 'slot0', reward: '0.050(x1.00)', position: 2 },
    { name: 'slot1', reward: '0.050(x1.00)', position: 3 },
  ]);
});
