import { describe, expect, test } from 'vitest';
import { summarise } from './statistics.ts';

const won = (payoutAmount: bigint) => ({ entryFee: 100n, outcome: 'cashout', payoutAmount });
const killed = { entryFee: 100n, outcome: 'killed', payoutAmount: 0n };
const refunded = { entryFee: 100n, outcome: 'forfeit', payoutAmount: 95n };

describe('statistics', () => {
  test('of a user who never played are zeros', () => {
    expect(summarise([])).toEqual({
      depositedAmount: '0',
      winningAmount: '0',
      biggestWin: '0',
      gamesPlayed: 0,
      winrate: 0,
      winStreak: 0,
    });
  });

  test('count cash-outs as winnings and those above the entry fee as wins', () => {
    expect(summarise([won(300n), killed, won(95n), refunded])).toEqual({
      depositedAmount: '400',
      winningAmount: '395',
      biggestWin: '300',
      gamesPlayed: 4,
      winrate: 25,
      winStreak: 0,
    });
  });

  test('count the win streak backwards from the last game', () => {
    expect(summarise([won(300n), killed, won(200n), won(101n)]).winStreak).toBe(2);
    expect(summarise([won(300n), won(200n)]).winStreak).toBe(2);
    expect(summarise([won(300n), won(100n)]).winStreak).toBe(0);
  });
});
