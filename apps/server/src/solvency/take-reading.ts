import { type LobbyId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import { type Owed, readOwed } from '../money/owed.ts';
import { findPool, isSameBooks, readBooks, readPool } from '../money/pool.ts';
import type { Context } from '../platform/context.ts';
import { type Reading, recordReading } from './record-reading.ts';

/** Reads a lobby and publishes the result. Throws if the node does not answer; the last reading then becomes stale. */
export async function publishReading(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby) || lobby.stage !== 'ready') return;
  const reading = await takeReading(context, lobby);
  if (reading) await recordReading(context, lobbyId, reading);
}

const ATTEMPTS = 3;

/** Undefined if the pool and the books cannot be compared at the moment. */
async function takeReading(
  context: Pick<Context, 'db' | 'chain' | 'nowMs'>,
  lobby: PaidLobby,
): Promise<Reading | undefined> {
  const { db } = context;
  const account = await findPool(context, lobby);
  if (!account) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readBooks(db, lobby.id);
    const balance = await readPool(context, account, before.newestSlot);
    if (!balance?.isAgreed) return undefined;
    const { held, ...owed } = await readOwed(db, lobby.id);
    const after = await readBooks(db, lobby.id);
    if (!isSameBooks(before, after) || held !== before.held) continue;
    const isCovered = covers(balance.amount, owed, before.inFlight);
    if (isCovered === undefined) return undefined;
    const readAtMs = context.nowMs();
    return {
      ...owed,
      account: walletAddress(account.address),
      readAtMs,
      slot: balance.slot,
      pool: balance.amount,
      isCovered,
    };
  }
  return undefined;
}

/**
 * Undefined while a claim is on its way that would explain the difference: it has probably paid but is not booked yet,
 * which takes a second or two.
 */
function covers(pool: bigint, owed: Omit<Owed, 'held'>, inFlight: bigint): boolean | undefined {
  const total = owed.bounties + owed.spill + owed.payouts;
  if (pool >= total) return true;
  return pool < total - inFlight ? false : undefined;
}
