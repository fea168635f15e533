import { USD } from '@engulf/domain/money/amount';
import type { Lobby } from '@engulf/protocol/lobby';
import { isFreeLobby } from '../../shared/lobby-money.ts';

/** What amounts of a lobby are counted in: its token, or notional dollars where entry is free. */
export function lobbyUnit(lobby: Pick<Lobby, 'entryFee' | 'tokenSymbol'>): string {
  return isFreeLobby(lobby) ? USD.symbol : lobby.tokenSymbol;
}
