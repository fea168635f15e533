import { readLobby } from '@engulf/chain/accounts/read-configs';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { simulateClaim } from '@engulf/chain/payouts/compute-budget';
import { address, createNoopSigner, type TransactionSigner } from '@solana/kit';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import type { PayoutRow } from '../../platform/database/money.ts';
import type { Claimant } from './claimant.ts';

/** Makes a batch unique on the chain. */
type BatchMark = {
  readonly batchId: string;
  readonly number: bigint | undefined;
  readonly proofs: readonly string[];
  readonly claimant: Claimant;
};

/** Payouts that are due and cannot be made now. */
export type SetAside = {
  /** By id. Their wallets cannot receive them now, so they are tried again together. */
  readonly postponed: ReadonlySet<string>;
  /** The chain would refuse them, each for its reason, so they are tried again alone. */
  readonly refused: ReadonlyMap<PayoutRow, string>;
  /** By id. The limits of the payout key are too small for them. */
  readonly tooLarge: readonly string[];
  /** Nothing can be paid out of the pool for now. */
  readonly isStopped: boolean;
};

export const NOTHING_ASIDE: SetAside = {
  postponed: new Set(),
  refused: new Map(),
  tooLarge: [],
  isStopped: false,
};

export type WorkingClaim = Extract<Awaited<ReturnType<typeof tryClaim>>, { kind: 'works' }>;
type FailingClaim = Extract<Awaited<ReturnType<typeof tryClaim>>, { kind: 'fails' }>;

/**
 * Builds a claim that the chain would accept now. Nodes drop what the chain would refuse, so one bad payout would let
 * its batch expire again and again; the simulation finds it before anything is signed.
 */
export async function findWorkingClaim(
  context: Pick<Context, 'chain' | 'logger'>,
  lobby: PaidLobby,
  mark: BatchMark,
  due: readonly PayoutRow[],
): Promise<{ readonly claim: WorkingClaim | undefined; readonly aside: SetAside }> {
  const { logger } = context;
  const { claimant, ...rest } = mark;
  const superAdmin = createNoopSigner(claimant.superAdmin);
  const { payoutKey } = claimant;
  const frame = { ...(await readFrame(context, lobby)), ...rest, superAdmin, payoutKey };
  const postponed = new Set<string>();
  const refused = new Map<PayoutRow, string>();
  let isStopped = false;
  const claim = await search(due);
  return { claim, aside: { ...NOTHING_ASIDE, postponed, refused, isStopped } };

  async function search(among: readonly PayoutRow[]): Promise<WorkingClaim | undefined> {
    const whole = await attempt(among);
    if (whole?.kind !== 'fails') return whole;
    if (!whole.isPayerShort) return searchGood(whole);
    const { reason } = whole;
    logger.error(
      { code: 'SIGNER_FUNDS_LOW', lobbyId: lobby.id, wallet: payoutKey?.key ?? superAdmin.address, reason },
      'the wallet that signs claims cannot pay for one, so payouts wait',
    );
    isStopped = true;
    return undefined;
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

type Frame = Awaited<ReturnType<typeof readFrame>> &
  Omit<BatchMark, 'claimant'> & {
    readonly superAdmin: TransactionSigner;
    readonly payoutKey: Claimant['payoutKey'];
  };

/** What all attempts have in common. */
async function readFrame({ chain }: Pick<Context, 'chain'>, lobby: PaidLobby) {
  const { rpc, programId } = chain;
  const onChain = await readLobby(rpc, programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  return { rpc, programId, lobby: onChain };
}

async function tryClaim(frame: Frame, among: readonly PayoutRow[]) {
  const { message, ...built } = await buildClaimBatch({
    ...frame,
    rewards: among.map((payout) => ({ ...payout, player: address(payout.wallet) })),
  });
  if (!message) return { kind: 'empty', ...built } as const;
  return { ...(await simulateClaim(frame.rpc, message)), ...built, onChain: frame.lobby };
}

function idsOf(rows: readonly PayoutRow[]): string[] {
  return rows.map(({ id }) => id);
}
