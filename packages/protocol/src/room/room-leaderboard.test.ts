import { expect, test } from 'vitest';
import { readServerFrame, serverFrame } from './compact-frames.ts';
import { changeLeaderboard, changeOfLeaderboard, type RoomLeaderboard } from './room-leaderboard.ts';

function leaderboardOf(rows: readonly string[], poolTotal = '100'): RoomLeaderboard {
  return {
    leaderboard: rows.map((row, index) => {
      const [name, reward] = row.split(' ') as [string, string];
      return { name, reward, position: index + 1 };
    }),
    totalPlayers: rows.length,
    totalBots: 1,
    poolTotal,
    pool: `${poolTotal} text`,
  };
}

test('rows that only move are numbers, and a name is sent once', () => {
  const before = leaderboardOf(['ann 3', 'bob 2', 'cid 1']);
  const after = leaderboardOf(['cid 4', 'ann 3', 'eve 2', 'bob 2']);
  const change = changeOfLeaderboard(before, after)!;
  expect(change).toEqual({ rows: [[2, '4'], 0, ['eve', '2'], 1], totalPlayers: 4, totalBots: 1 });
  expect(changeLeaderboard(before, change)).toEqual(after);
});

test('nothing is sent of a leaderboard that is the same, and no rows when only the totals change', () => {
  const before = leaderboardOf(['ann 3', 'bob 2']);
  expect(changeOfLeaderboard(before, structuredClone(before))).toBeUndefined();
  const after = leaderboardOf(['ann 3', 'bob 2'], '250');
  expect(changeOfLeaderboard(before, after)).toMatchObject({ rows: null, pool: { poolTotal: '250' } });
});

test('any leaderboard can follow any other', () => {
  const names = ['ann', 'ann', 'bob', '7', 'cid', ''];
  let seed = 1;
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const any = () =>
    leaderboardOf(
      Array.from({ length: below(9) }, () => `${names[below(names.length)]} ${below(3)}`),
      String(below(3)),
    );
  let before = any();
  for (let round = 0; round < 2_000; round++) {
    const after = any();
    const change = changeOfLeaderboard(before, after);
    if (change) {
      const sent = readServerFrame('leaderboardChange', serverFrame('leaderboardChange', change))!;
      expect(changeLeaderboard(before, sent)).toEqual(after);
    } else expect(after).toEqual(before);
    before = after;
  }
});

test('a change of another leaderboard is refused', () => {
  const change = { rows: [5], totalPlayers: 1, totalBots: 0 };
  expect(changeLeaderboard(leaderboardOf(['ann 3']), change)).toBeUndefined();
});
