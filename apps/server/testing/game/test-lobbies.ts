import { lobbyId } from '@engulf/domain/ids/entity-ids';
import { baseUnits, SOL, USD } from '@engulf/domain/money/amount';
import type { GameLobby } from '../../src/game/ports.ts';

let counter = 0;

export function freeLobby(changes: Partial<GameLobby> = {}): GameLobby {
  counter++;
  return {
    id: lobbyId(`lobby-${counter}`),
    name: 'Petri',
    lobbyType: 'free',
    isFree: true,
    token: USD,
    entryFee: baseUnits(0n),
    multiplierBasis: baseUnits(1_000_000n),
    maxPlayers: 10,
    botCount: 0,
    isLocked: false,
    dailyOpenWindows: null,
    drainsAtMs: null,
    ...changes,
  };
}

export function paidLobby(changes: Partial<GameLobby> = {}): GameLobby {
  const fee = baseUnits(50_000_000n);
  return {
    ...freeLobby(),
    lobbyType: 'normal',
    isFree: false,
    token: SOL,
    entryFee: fee,
    multiplierBasis: fee,
    ...changes,
  };
}
