import type { CardFacts } from '@engulf/card/card-layout';
import { PLAYER_COLOURS } from '@engulf/card/player-colours';
import { formatAmount, formatExactAmount, formatUsd } from '@engulf/domain/money/amount';
import { multiplierText } from '@engulf/domain/money/reward-text';
import { playerColourIndex } from '@engulf/domain/profile/colour';
import { isPaid, type LobbyRow, tokenOf } from '../lobbies/lobby-rows.ts';
import type { EntryRow } from '../platform/database/games.ts';

/** A game that its player left through the portal. */
export type CashedOut = {
  readonly entry: EntryRow & { readonly payoutAmount: bigint };
  readonly lobby: LobbyRow;
  readonly playerName: string;
  /** The one that the player has chosen. */
  readonly colour: number | null;
};

/** The texts of a card, from the books. */
export function cardFacts({ entry, lobby, playerName, colour }: CashedOut): CardFacts {
  const token = tokenOf(lobby);
  const { payoutAmount, entryFee, stake, usdValue } = entry;
  const paid = isPaid(lobby);
  const worth = usdValue === null ? null : formatUsd(usdValue);
  return {
    playerName,
    lobbyName: lobby.name,
    multiplier: multiplierText(payoutAmount, paid ? entryFee : stake),
    amount: `${formatAmount(payoutAmount, token)} ${token.symbol}`,
    worth: paid ? worth : 'play money',
    entryFee: paid ? `${formatExactAmount(entryFee, token)} ${token.symbol}` : 'Free',
    finalMass: Math.floor((entry.finalMassMilli ?? 0) / 1_000).toLocaleString('en-US'),
    isGain: paid && payoutAmount > entryFee,
    colours: PLAYER_COLOURS[colour ?? playerColourIndex(entry.userId)] ?? PLAYER_COLOURS[0],
  };
}
