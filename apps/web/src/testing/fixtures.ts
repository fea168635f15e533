import type { WalletAddress } from '@engulf/domain/ids/entity-ids';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import type { BrowserStorage } from '../shared/storage.ts';

const WALLET = 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx' as WalletAddress;

export function aLobby(change: Partial<Lobby> = {}): Lobby {
  return {
    id: 'mitosis',
    lobbyId: 7,
    name: 'Mitosis',
    lobbyType: 'normal',
    fee: '0.1',
    entryFee: '100000000',
    tokenSymbol: 'SOL',
    tokenDecimals: 9,
    tokenMint: null,
    isLocked: false,
    players: '6/10',
    currentPlayers: 6,
    currentBots: 0,
    pool: '0.742',
    TVL: '0.742',
    poolAmount: '742000000',
    baseApi: null,
    baseGame: null,
    region: 'EU West',
    isActive: true,
    gatherSize: 2,
    lastUpdate: 0,
    ...change,
  };
}

export const FREE: Partial<Lobby> = {
  id: 'petri',
  lobbyId: null,
  lobbyType: 'free',
  fee: '0',
  entryFee: '0',
};

export function aUser(change: Partial<User> = {}): User {
  return {
    id: 'u1',
    name: 'MoonYolk',
    avatarUrl: null,
    colour: null,
    goalDays: 0,
    walletAddress: WALLET,
    rank: null,
    multiplier: 1,
    isTwitterConnected: false,
    referralCodeVerified: true,
    isRaffleWinner: false,
    showGuide: false,
    isAdmin: false,
    ...change,
  };
}

export function memoryStorage(): BrowserStorage & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    read: (key) => items.get(key),
    write: (key, value) => void items.set(key, value),
    remove: (key) => void items.delete(key),
  };
}
