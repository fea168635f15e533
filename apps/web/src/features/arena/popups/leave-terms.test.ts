import { expect, test } from 'vitest';
import { aLobby } from '../../../testing/fixtures.ts';
import { leaveTerms } from './leave-terms.ts';

const paid = { ...aLobby(), entryFee: '50000000', tokenSymbol: 'SOL', tokenDecimals: 9 };
const leaver = { lobby: paid, reward: '0.475(x9.50)', mass: 900, platformFeeBasisPoints: 500 };

test('a bag beyond the stake is given up', () => {
  expect(leaveTerms(leaver)).toEqual({
    isPlayMoney: false,
    refund: '0.047 SOL',
    givenUp: '0.427 SOL',
    staysSeconds: 10,
  });
});

test('a cell that shrank below its spawn mass gets less than the stake', () => {
  expect(leaveTerms({ ...leaver, reward: '0.047(x0.95)', mass: 20 })).toMatchObject({ refund: '0.023 SOL' });
});

test('a free lobby gives up play money, in dollars of two decimals, and pays nothing', () => {
  const lobby = { ...paid, entryFee: '0' };
  expect(leaveTerms({ ...leaver, lobby, reward: '15.000(x15.00)' })).toMatchObject({
    isPlayMoney: true,
    refund: '$0.00',
    givenUp: '$15.00',
  });
});

test('nothing is promised before the room has told what the player carries', () => {
  expect(leaveTerms({ ...leaver, reward: undefined })).toBeUndefined();
});
