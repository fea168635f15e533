import { formatUsd } from '@engulf/domain/money/amount';
import { rewardText } from '@engulf/domain/money/reward-text';
import type { GameLobby } from '../ports.ts';

/** An amount of this lobby's money as players read it: 'amount(xN)'. */
export function rewardOf(lobby: GameLobby, amount: bigint): string {
  return rewardText(amount, lobby.token, lobby.multiplierBasis);
}

/** Free lobbies count in dollars. For tokens the room knows no price; the client may. */
export function usdValueOf(lobby: GameLobby, amount: bigint): string | null {
  return lobby.isFree ? formatUsd(amount) : null;
}
