import { formatExactAmount } from '@engulf/domain/money/amount';
import type { SolvencyHistoryRow, SolvencyLobby } from '@engulf/protocol/http/solvency';
import { SOLVENCY_TEXT } from './text.ts';

type State = SolvencyLobby['state'];
type InToken = { readonly tokenSymbol: string; readonly tokenDecimals: number };

/** Exact, with its unit: nothing is rounded where people compare. */
export function amountText(amount: string | bigint, { tokenSymbol, tokenDecimals }: InToken): string {
  const token = { symbol: tokenSymbol, decimals: tokenDecimals };
  return `${formatExactAmount(BigInt(amount), token)} ${tokenSymbol}`;
}

/** The state by the current age of the reading: an answer that stays on the screen becomes stale. */
export function currentState(
  { state, reading }: Pick<SolvencyLobby, 'state' | 'reading'>,
  staleAfterMs: number,
  nowMs: number,
): State {
  if (reading === null || nowMs - Date.parse(reading.readAt) > staleAfterMs) return 'unknown';
  return state;
}

/** What the difference consists of. */
export function differenceNotes(lobby: SolvencyLobby): readonly string[] {
  if (!lobby.reading) return [];
  const { missing, surplus, gifts } = lobby.reading;
  if (missing !== '0') return [SOLVENCY_TEXT.missing(amountText(missing, lobby))];
  if (surplus === '0') return [SOLVENCY_TEXT.exact];
  const unmatched = BigInt(surplus) - BigInt(gifts);
  return [
    ...(gifts === '0' ? [] : [SOLVENCY_TEXT.gifts(amountText(gifts, lobby))]),
    ...(unmatched === 0n ? [] : [SOLVENCY_TEXT.unmatched(amountText(unmatched, lobby))]),
  ];
}

export type Bar = { readonly at: string; readonly isCovered: boolean; readonly height: number };

/** Oldest first; heights are parts of the tallest. An empty pool keeps a trace. */
export function historyBars(rows: readonly SolvencyHistoryRow[]): readonly Bar[] {
  const sizeOf = ({ pool, owed }: SolvencyHistoryRow) =>
    BigInt(pool) > BigInt(owed) ? BigInt(pool) : BigInt(owed);
  const tallest = rows.reduce((most, row) => (sizeOf(row) > most ? sizeOf(row) : most), 1n);
  return rows.toReversed().map((row) => ({
    at: row.readAt,
    isCovered: row.isCovered,
    height: Math.max(0.08, Number((sizeOf(row) * 1_000n) / tallest) / 1_000),
  }));
}
