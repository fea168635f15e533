import type { Solvency, SolvencyLobby } from '@engulf/protocol/http/solvency';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { solvencyNow } from '../platform/database/solvency.ts';

export type SolvencyRow = {
  readonly lobby: LobbyRow;
  readonly newest: typeof solvencyNow.$inferSelect | null;
};

/** Four readings may fail before the last one no longer counts. */
const STALE_AFTER_MS = 60_000;

export function describeSolvency(
  rows: readonly SolvencyRow[],
  { nowMs, explorerAccountUrl }: { readonly nowMs: number; readonly explorerAccountUrl: string | null },
): Solvency {
  const lobbies = rows.map((row) => describeLobby(row, nowMs));
  return {
    status: 'success',
    asOf: new Date(nowMs).toISOString(),
    staleAfterMs: STALE_AFTER_MS,
    explorerAccountUrl,
    lobbies,
    totals: describeTotals(lobbies),
  };
}

function describeLobby({ lobby, newest }: SolvencyRow, nowMs: number): SolvencyLobby {
  const isFresh = newest !== null && nowMs - newest.readAt.getTime() <= STALE_AFTER_MS;
  return {
    lobbyId: lobby.id,
    name: lobby.name,
    tokenSymbol: lobby.tokenSymbol,
    tokenDecimals: lobby.tokenDecimals,
    tokenMint: lobby.tokenMint,
    state: !isFresh ? 'unknown' : newest.isCovered ? 'covered' : 'uncovered',
    account: newest?.account ?? null,
    reading: newest && describeReading(newest),
  };
}

function describeReading(row: NonNullable<SolvencyRow['newest']>): NonNullable<SolvencyLobby['reading']> {
  const owed = row.bounties + row.spill + row.payouts;
  const surplus = row.pool > owed ? row.pool - owed : 0n;
  return {
    readAt: row.readAt.toISOString(),
    slot: row.slot.toString(),
    pool: row.pool.toString(),
    owed: owed.toString(),
    bounties: row.bounties.toString(),
    spill: row.spill.toString(),
    payouts: row.payouts.toString(),
    people: row.people,
    surplus: surplus.toString(),
    gifts: (row.gifts < surplus ? row.gifts : surplus).toString(),
    missing: (row.pool < owed ? owed - row.pool : 0n).toString(),
  };
}

function describeTotals(lobbies: readonly SolvencyLobby[]): Solvency['totals'] {
  const groups = Map.groupBy(lobbies, ({ tokenMint }) => tokenMint);
  return [...groups.values()].map((group) => {
    const { tokenSymbol, tokenDecimals, tokenMint } = group[0]!;
    const fresh = group.filter(({ state }) => state !== 'unknown');
    const sum = (name: 'pool' | 'owed' | 'missing') =>
      fresh.reduce((total, { reading }) => total + BigInt(reading![name]), 0n).toString();
    const isShort = fresh.some(({ state }) => state === 'uncovered');
    return {
      tokenSymbol,
      tokenDecimals,
      tokenMint,
      state: isShort ? 'uncovered' : fresh.length < group.length ? 'unknown' : 'covered',
      pool: sum('pool'),
      owed: sum('owed'),
      missing: sum('missing'),
      lobbies: group.length,
      staleLobbies: group.length - fresh.length,
    };
  });
}
