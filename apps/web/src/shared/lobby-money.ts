import { entryFeeText } from '@engulf/domain/lobby/lobby-type';
import {
  type BaseUnits,
  formatAmount,
  formatExactAmount,
  formatUsd,
  SOL,
  type Token,
  USD,
  usdValue,
} from '@engulf/domain/money/amount';
import { splitFee } from '@engulf/domain/money/bounty';
import type { Lobby } from '@engulf/protocol/lobby';

/** An amount as the menu shows it: figure, unit and, where the price is known, its worth in dollars. */
export type MoneyText = { readonly figure: string; readonly unit: string; readonly usd?: string | undefined };

type Priced = Pick<Lobby, 'lobbyType' | 'entryFee' | 'fee' | 'tokenSymbol' | 'tokenDecimals' | 'tokenMint'>;

/** Undefined for a free lobby. */
export function lobbyFee(lobby: Priced, solUsdMicro: string | null): MoneyText | undefined {
  const amount = BigInt(lobby.entryFee) as BaseUnits;
  const text = entryFeeText(amount, tokenOf(lobby));
  if (text === undefined) return undefined;
  return { figure: lobby.fee, unit: lobby.tokenSymbol, usd: worth(lobby, amount, solUsdMicro) };
}

/** Where the entry fee goes. Undefined for a free lobby. */
export function lobbySplit(
  lobby: Priced,
  platformFeeBasisPoints: number,
): { readonly platformFee: MoneyText; readonly stake: MoneyText } | undefined {
  if (isFreeLobby(lobby)) return undefined;
  const { treasury, stake } = splitFee(BigInt(lobby.entryFee), platformFeeBasisPoints);
  const token = tokenOf(lobby);
  const exactly = (amount: bigint): MoneyText => ({
    figure: formatExactAmount(amount, token),
    unit: lobby.tokenSymbol,
  });
  return { platformFee: exactly(treasury), stake: exactly(stake) };
}

export function isFreeLobby(lobby: Pick<Lobby, 'entryFee'>): boolean {
  return BigInt(lobby.entryFee) === 0n;
}

/** The unit of a lobby's amounts: its token, or notional dollars where entry is free. */
export function lobbyUnit(lobby: Pick<Lobby, 'entryFee' | 'tokenSymbol'>): string {
  return isFreeLobby(lobby) ? USD.symbol : lobby.tokenSymbol;
}

/** The pool of a free lobby is notional and counted in dollars. */
export function lobbyPool(lobby: Priced, poolTotal: bigint, solUsdMicro: string | null): MoneyText {
  if (isFreeLobby(lobby)) return { figure: formatUsd(poolTotal), unit: '' };
  return {
    figure: formatAmount(poolTotal, tokenOf(lobby)),
    unit: lobby.tokenSymbol,
    usd: worth(lobby, poolTotal, solUsdMicro),
  };
}

/** The sum of all SOL pools; other tokens cannot be added to it. */
export function livePoolsText(
  lobbies: readonly Priced[],
  poolOf: (index: number) => bigint | undefined,
): string {
  let total = 0n;
  for (const [index, lobby] of lobbies.entries()) {
    if (lobby.tokenMint === null && !isFreeLobby(lobby)) total += poolOf(index) ?? 0n;
  }
  return `${formatAmount(total, SOL)} ${SOL.symbol}`;
}

function tokenOf(lobby: Priced): Token {
  return { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals };
}

function worth(lobby: Priced, amount: bigint, solUsdMicro: string | null): string | undefined {
  if (lobby.tokenMint !== null || solUsdMicro === null) return undefined;
  return formatUsd(usdValue(amount, SOL, BigInt(solUsdMicro)));
}
