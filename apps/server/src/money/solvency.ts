import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { type Books, findPool, isSameBooks, readBooks, readPool } from './pool.ts';
import { noteProven } from './pool-readings.ts';

type SolvencyDeps = {
  /** Looks for transactions that were missed, as far back as the last slot that was proven. */
  searchUnproven(lobbyId: LobbyId): Promise<void>;
  /** The lobbies whose pool had more than the books at the last check. */
  readonly surpluses: Set<LobbyId>;
};

type Comparison = Books & {
  /** Final on the chain. */
  readonly pool: bigint;
  readonly slot: bigint;
  /** Whether as many nodes as are needed showed it. */
  readonly isAgreed: boolean;
};

/**
 * Compares a lobby's pool with the books. Less is an alarm; more is searched for, because somebody may have paid by a
 * transaction that no listing showed, and an alarm if nothing explains it at the next check either: a payment that was just
 * found, after a restart say, is not decided yet. Equal is a proof that nothing is missing.
 */
export async function checkSolvency(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  lobbyId: LobbyId,
  deps: SolvencyDeps,
): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  // The pool of one that is being removed may be gone before the books say so.
  if (!lobby || !isPaid(lobby) || lobby.stage !== 'ready') return;
  let found = await comparePool(context, lobby);
  if (found && found.pool > found.held) {
    await deps.searchUnproven(lobbyId);
    found = await comparePool(context, lobby);
  }
  if (!found?.isAgreed) return;
  const { pool, held, inFlight, slot } = found;
  const hadSurplus = deps.surpluses.delete(lobbyId);
  if (pool < held - inFlight) {
    context.logger.error(
      { code: 'POOL_SHORT', lobbyId, pool, held, inFlight, slot },
      'the pool holds less than it owes',
    );
  } else if (pool > held) {
    deps.surpluses.add(lobbyId);
    if (!hadSurplus) return;
    context.logger.error(
      { code: 'POOL_SURPLUS', lobbyId, pool, held, slot },
      'the pool holds more than the books explain',
    );
  } else if (inFlight === 0n) {
    await noteProven(context.db, lobbyId, slot);
  }
}

const ATTEMPTS = 3;

/** A pool and what the books say of it. Undefined if the node is behind the books, or if the books do not stand still long enough to compare them. */
export async function comparePool(
  context: Pick<Context, 'db' | 'chain'>,
  lobby: PaidLobby,
): Promise<Comparison | undefined> {
  const { db } = context;
  const account = await findPool(context, lobby);
  if (!account) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readBooks(db, lobby.id);
    const pool = await readPool(context, account, before.newestSlot);
    if (!pool) return undefined;
    const after = await readBooks(db, lobby.id);
    if (isSameBooks(before, after))
      return { ...before, pool: pool.amount, slot: pool.slot, isAgreed: pool.isAgreed };
  }
  return undefined;
}
