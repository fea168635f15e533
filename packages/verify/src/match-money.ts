import type { PublicMatch } from '@engulf/protocol/http/matches';

/** Whether anything about a match speaks of money. The server's word that it was free is not enough. */
export function isForMoney(match: PublicMatch): boolean {
  const { isFree, chainLobbyId, tokenMint, tokenSymbol, entries } = match;
  if (!isFree || chainLobbyId !== null || tokenMint !== null) return true;
  // The stakes of a free lobby are play dollars.
  if (tokenSymbol !== 'USD' && entries.some(({ stake }) => stake !== '0')) return true;
  return entries.some(({ payment, payout }) => payment !== null || payout !== null);
}
