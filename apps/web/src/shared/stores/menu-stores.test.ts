import { beforeEach, describe, expect, test } from 'vitest';
import { aLobby } from '../../testing/fixtures.ts';
import { isLive, useLobbyStore } from './menu-stores.ts';

beforeEach(() => useLobbyStore.setState({ lobbies: undefined, pulses: {} }));

describe('the lobby store', () => {
  test('takes the first counts from the list, for active lobbies only', () => {
    useLobbyStore.getState().setLobbies([aLobby(), aLobby({ id: 'off', isActive: false })], 1_000);
    const { pulses } = useLobbyStore.getState();
    expect(pulses).toEqual({
      mitosis: { totalPlayers: 6, totalBots: 0, poolTotal: 742_000_000n, heardAtMs: 1_000 },
    });
  });

  test('counts a lobby as silent five seconds after its last update', () => {
    const { setLobbies, applyUpdate } = useLobbyStore.getState();
    setLobbies([aLobby()], 1_000);
    applyUpdate(
      {
        lobbyId: 'mitosis',
        totalPlayers: 7,
        totalBots: 3,
        poolTotal: '800000000',
        pool: '0.800',
        baseGame: 'https://play.example/game/2',
      },
      3_000,
    );
    const { pulses, lobbies } = useLobbyStore.getState();
    expect(lobbies).toMatchObject([{ id: 'mitosis', baseGame: 'https://play.example/game/2' }]);
    const pulse = pulses.mitosis;
    expect(pulse).toMatchObject({ totalPlayers: 7, totalBots: 3, poolTotal: 800_000_000n });
    expect(isLive(pulse, 8_000)).toBe(true);
    expect(isLive(pulse, 8_001)).toBe(false);
    expect(isLive(undefined, 0)).toBe(false);
  });
});
