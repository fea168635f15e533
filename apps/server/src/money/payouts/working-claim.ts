import { readLobby } from '@engulf/chain/accounts/read-configs';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { simulateClaim } from '@engulf/chain/payouts/compute-budget';
import { address, createNoopSigner } from '@solana/kit';
import { and, eq, inArray } from 'drizzle-orm';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { grantedTokenAccounts, type PayoutRow } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';

/** Makes a batch unique on the chain. */
type BatchMark = {
  readonly batchId: string;
  readonly number: bigint | undefined;
  readonly proofs: readonly string[];
};

/** Payouts that are due and cannot be made now. */
export type SetAside = {
  /** By id. The reason is not in the payout, so they are tried again together. */
  readonly postponed: ReadonlySet<string>;
  /** The chain would refuse them, each for its reason, so they are tried again alone. */
  readonly refused: ReadonlyMap<PayoutRow, string>;
  /** Nothing can be paid out of the pool for now. */
  readonly isStopped: boolean;
};

export type WorkingClaim = Extract<Awaited<ReturnType<typeof tryClaim>>, { kind: 'works' }>;
type FailingClaim = Extract<Awaited<ReturnType<typeof tryClaim>>, { kind: 'fails' }>;

/**
 * Builds a claim that the chain would accept now. Nodes drop what the chain would refuse, so one bad payout would let
 * its batch expire again and again; the simulation finds it before anything is signed.
 */
export async function findWorkingClaim(
  context: Context,
  lobby: PaidLobby,
  mark: BatchMark,
  due: readonly PayoutRow[],
): Promise<{ readonly claim: WorkingClaim | undefined; readonly aside: SetAside }> {
  const { logger } = context;
  const frame = { ...(await readFrame(context, lobby, due)), ...mark };
  const postponed = new Set<string>();
  const refused = new Map<PayoutRow, string>();
  let isStopped = false;
  const claim = await search(due);
  return { claim, aside: { postponed, refused, isStopped } };

  async function search(among: readonly PayoutRow[]): Promise<WorkingClaim | undefined> {
    const whole = await attempt(among);
    if (whole?.kind !== 'fails') return whole;
    return whole.isPayerShort ? searchCheap(among, whole) : searchGood(whole);
  }

  /** Creating a token account costs its rent; the other payouts cost the fee only. */
  async function searchCheap(among: readonly PayoutRow[], { reason, paid, description }: FailingClaim) {
    logger.error(
      { code: 'SIGNER_FUNDS_LOW', lobbyId: lobby.id, reason },
      'the super admin cannot pay for a claim, so payouts wait',
    );
    const costly = idsOf(paid.filter((_, index) => description.rewards[index]!.createsTokenAccount));
    for (const id of costly) postponed.add(id);
    isStopped = costly.length === 0;
    return isStopped ? undefined : search(among.filter(({ id }) => !costly.includes(id)));
  }

  async function searchGood({ reason, paid }: FailingClaim) {
    const good: PayoutRow[] = [];
    for (const payout of paid) {
      const alone = await attempt([payout]);
      if (alone?.kind === 'works') good.push(payout);
      else refused.set(payout, alone?.reason ?? reason);
    }
    if (good.length === 0) return undefined;
    // If each works alone, the sum is the problem.
    const claim = await attempt(good.length === paid.length ? good.slice(0, 1) : good);
    return claim?.kind === 'works' ? claim : undefined;
  }

  async function attempt(among: readonly PayoutRow[]): Promise<WorkingClaim | FailingClaim | undefined> {
    const tried = await tryClaim(frame, among);
    const payoutIds = idsOf(tried.unpayable);
    if (payoutIds.length > 0)
      logger.warn({ code: 'PAYOUTS_POSTPONED', payoutIds }, 'wallets cannot receive their payouts now');
    for (const id of payoutIds) postponed.add(id);
    return tried.kind === 'empty' ? undefined : tried;
  }
}

type Frame = Awaited<ReturnType<typeof readFrame>> & BatchMark;

/** What all attempts have in common. */
async function readFrame({ chain, db }: Context, lobby: PaidLobby, due: readonly PayoutRow[]) {
  const { rpc, programId } = chain;
  const onChain = await readLobby(rpc, programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  const superAdmin = createNoopSigner((await chain.readPlatform()).superAdmin);
  return { rpc, programId, lobby: onChain, superAdmin, granted: await readGranted(db, lobby, due) };
}

async function tryClaim({ granted, ...frame }: Frame, among: readonly PayoutRow[]) {
  const { message, ...built } = await buildClaimBatch({
    ...frame,
    rewards: among.map((payout) => ({
      ...payout,
      player: address(payout.wallet),
      // A refunded player had a token account when paying, and so had a winner for whom we created one. Creating it
      // again would let them farm its rent by closing it.
      needsTokenAccount: payout.isRefund || granted.has(payout.wallet),
    })),
  });
  if (!message) return { kind: 'empty', ...built } as const;
  return { ...(await simulateClaim(frame.rpc, message)), ...built, onChain: frame.lobby };
}

function idsOf(rows: readonly PayoutRow[]): string[] {
  return rows.map(({ id }) => id);
}

/** The wallets that have had an account of the lobby's token from us. */
async function readGranted(
  db: Database,
  { tokenMint }: PaidLobby,
  due: readonly PayoutRow[],
): Promise<ReadonlySet<string>> {
  if (tokenMint === null) return new Set();
  const wallets = due.map(({ wallet }) => wallet);
  const rows = await db
    .select({ wallet: grantedTokenAccounts.wallet })
    .from(grantedTokenAccounts)
    .where(and(eq(grantedTokenAccounts.mint, tokenMint), inArray(grantedTokenAccounts.wallet, wallets)));
  return new Set(rows.map(({ wallet }) => wallet));
}
