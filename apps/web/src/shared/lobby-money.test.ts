import { describe, expect, test } from 'vitest';
import { aLobby, FREE } from '../testing/fixtures.ts';
import { livePoolsText, lobbyFee, lobbyPool } from './lobby-money.ts';

const PRICES = { SOL: '142600000', mint: '1000000' };
const TOKEN = { tokenSymbol: 'USDC', tokenDecimals: 6, tokenMint: 'mint', fee: '25', entryFee: '25000000' };

describe('the fee and pool of a lobby', () => {
  test('show SOL with its worth in dollars, truncated', () => {
    expect(lobbyFee(aLobby(), PRICES)).toEqual({ figure: '0.1', unit: 'SOL', usd: '$14.26' });
    expect(lobbyPool(aLobby(), 742_999_999n, PRICES)).toEqual({
      figure: '0.742',
      unit: 'SOL',
      usd: '$105.95',
    });
  });

  test('show no dollars where the price is unknown', () => {
    expect(lobbyFee(aLobby(), { mint: '1000000' })?.usd).toBeUndefined();
    expect(lobbyFee(aLobby(TOKEN), { SOL: '142600000' })).toEqual({
      figure: '25',
      unit: 'USDC',
      usd: undefined,
    });
  });

  test('show a token with the price of its mint', () => {
    expect(lobbyFee(aLobby(TOKEN), PRICES)).toEqual({ figure: '25', unit: 'USDC', usd: '$25.00' });
    expect(lobbyPool(aLobby(TOKEN), 1_500_000n, PRICES)).toEqual({
      figure: '1.500',
      unit: 'USDC',
      usd: '$1.50',
    });
  });

  test('are in dollars for a free lobby', () => {
    expect(lobbyFee(aLobby(FREE), PRICES)).toBeUndefined();
    expect(lobbyPool(aLobby(FREE), 6_990_000n, PRICES)).toEqual({ figure: '$6.99', unit: '' });
  });

  test('only SOL pools are summed', () => {
    const lobbies = [aLobby(), aLobby(TOKEN), aLobby(FREE), aLobby({ id: 'silent' })];
    const pools = [742_000_000n, 9_000_000n, 5_000_000n, undefined];
    expect(livePoolsText(lobbies, (index) => pools[index])).toBe('0.742 SOL');
  });
});
