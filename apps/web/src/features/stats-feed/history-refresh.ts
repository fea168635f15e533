export const HISTORY_REFRESH = { everyMs: 5_000, firstTicks: 2, maxTicks: 24 } as const;

export type SettlementState = { readonly status: string; readonly txnHash?: string | null | undefined };

/** Still on its way to the player's wallet. */
export function isUnsettled(row: SettlementState): boolean {
  return row.status === 'pending' || row.status === 'processing' || !row.txnHash;
}

/** Whether the given tick (1 is the first after a load) should fetch the rows anew. */
export function isHistoryRefreshDue(tick: number, rows: readonly SettlementState[]): boolean {
  if (tick <= HISTORY_REFRESH.firstTicks) return true;
  return tick <= HISTORY_REFRESH.maxTicks && rows.some(isUnsettled);
}
