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
import { currencyOf } from '@engulf/domain/money/currency';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';

/** An amount as the menu shows it: figure, unit and, where the price is known, its worth in dollars. */
export type MoneyText = { readonly figure: string; readonly unit: string; readonly usd?: string | undefined };

/** Micro-dollars for one whole token, by mint or 'SOL'. */
export type UsdPrices = PublicConfig['prices']['usdMicro'];

type Priced = Pick<Lobby, 'lobbyType' | 'entryFee' | 'fee' | 'tokenSymbol' | 'tokenDecimals' | 'tokenMint'>;

/** Undefined for a free lobby. */
export function lobbyFee(lobby: Priced, prices: UsdPrices): MoneyText | undefined {
  const amount = BigInt(lobby.entryFee) as BaseUnits;
  const text = entryFeeText(amount, tokenOf(lobby));
  if (text === undefined) return undefined;
  return { figure: lobby.fee, unit: lobby.tokenSymbol, usd: worth(lobby, amount, prices) };
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
export function lobbyPool(lobby: Priced, poolTotal: bigint, prices: UsdPrices): MoneyText {
  if (isFreeLobby(lobby)) return { figure: formatUsd(poolTotal), unit: '' };
  return {
    figure: formatAmount(poolTotal, tokenOf(lobby)),
    unit: lobby.tokenSymbol,
    usd: worth(lobby, poolTotal, prices),
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

function worth(lobby: Priced, amount: bigint, prices: UsdPrices): string | undefined {
  const price = prices[currencyOf(lobby.tokenMint)];
  return price === undefined ? undefined : formatUsd(usdValue(amount, tokenOf(lobby), BigInt(price)));
}
