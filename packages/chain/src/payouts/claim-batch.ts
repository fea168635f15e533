import {
  type Address,
  createNoopSigner,
  type GetAccountInfoApi,
  type GetLatestBlockhashApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  isTransactionMessageWithinSizeLimit,
  type Rpc,
  type TransactionSigner,
} from '@solana/kit';
import type { Lobby } from '../accounts/read-configs.ts';
import {
  buildClaimMessage,
  type ClaimDescription,
  MAX_COMPUTE_UNITS,
  MAX_PLAYERS_PER_BATCH,
} from './claim-message.ts';
import { type Payee, type Reward, readPayees, tokenProgramOf } from './reward-payees.ts';

type ClaimRpc = Rpc<
  GetAccountInfoApi & GetMultipleAccountsApi & GetMinimumBalanceForRentExemptionApi & GetLatestBlockhashApi
>;

type ClaimRequest<R extends Reward> = {
  readonly rpc: ClaimRpc;
  readonly programId: Address;
  readonly lobby: Lobby;
  /** Only the address is needed to describe a claim. */
  readonly superAdmin: TransactionSigner;
  /** Claims instead, up to its limit. */
  readonly payoutKey?: { readonly key: Address; readonly maxTotal: bigint } | undefined;
  /** In the order of payment. */
  readonly rewards: readonly R[];
  readonly batchId: string;
  /** For a lobby with a counter. */
  readonly number?: bigint | undefined;
  /** None unless given. */
  readonly proofs?: readonly string[];
};

/**
 * Describes one transaction that pays as many of the rewards as fit. The rest is either `waiting` for a later batch, or
 * `unpayable`: the chain would refuse it now, and the whole batch with it.
 */
export async function buildClaimBatch<R extends Reward>(request: ClaimRequest<R>) {
  const { programId, lobby, superAdmin, payoutKey, batchId, number, proofs = [] } = request;
  const { candidates, others } = takeDistinctPlayers(request.rewards);
  const tokenProgram = lobby.isSolLobby ? undefined : await tokenProgramOf(request.rpc, lobby.tokenMint);
  const payees = await readPayees(request.rpc, lobby, tokenProgram, candidates);
  const { within: payable, beyond } = takeUpTo(
    payoutKey?.maxTotal,
    payees.filter((payee) => payee.isPayable),
  );
  const unpayable = payees.filter((payee) => !payee.isPayable).map(({ reward }) => reward);
  const { context, value: lifetime } = await request.rpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send();

  const describe = (chosen: readonly Payee<R>[]): ClaimDescription => ({
    programId,
    superAdmin: superAdmin.address,
    ...(payoutKey && { payoutKey: payoutKey.key }),
    lobbyId: lobby.lobbyId,
    number,
    token: tokenProgram && { mint: lobby.tokenMint, program: tokenProgram },
    rewards: chosen.map(({ reward: { player, amount } }) => ({ player, amount })),
    batchId,
    proofs,
    lifetime,
    // Replaced by what a simulation needs and by a bid. Always present, so that the message does not get longer.
    computeUnits: MAX_COMPUTE_UNITS,
    computePriceMicroLamports: 0n,
  });
  const signer = payoutKey ? createNoopSigner(payoutKey.key) : superAdmin;
  const messageFor = (chosen: readonly Payee<R>[]) => buildClaimMessage(describe(chosen), signer);
  let count = payable.length;
  // Tokens and proofs leave less room for payments.
  while (count > 0 && !isTransactionMessageWithinSizeLimit(await messageFor(payable.slice(0, count))))
    count--;
  const chosen = payable.slice(0, count);
  return {
    message: count > 0 ? await messageFor(chosen) : undefined,
    description: describe(chosen),
    paid: chosen.map(({ reward }) => reward),
    waiting: [...[...payable.slice(count), ...beyond].map(({ reward }) => reward), ...others],
    unpayable,
    /** A slot before the signing. */
    builtAtSlot: context.slot,
  };
}

/** Those that a limit has room for, in their order. Later, smaller ones may still fit. */
function takeUpTo<R extends Reward>(
  maxTotal: bigint | undefined,
  payees: readonly Payee<R>[],
): { within: Payee<R>[]; beyond: Payee<R>[] } {
  if (maxTotal === undefined) return { within: [...payees], beyond: [] };
  const within: Payee<R>[] = [];
  const beyond: Payee<R>[] = [];
  let left = maxTotal;
  for (const payee of payees) {
    const fits = payee.reward.amount <= left;
    if (fits) left -= payee.reward.amount;
    (fits ? within : beyond).push(payee);
  }
  return { within, beyond };
}

/** The program refuses to pay a player twice in one batch, so a second reward goes into a later one. */
function takeDistinctPlayers<R extends Reward>(rewards: readonly R[]): { candidates: R[]; others: R[] } {
  const players = new Set<Address>();
  const candidates: R[] = [];
  const others: R[] = [];
  for (const reward of rewards) {
    const isCandidate = candidates.length < MAX_PLAYERS_PER_BATCH && !players.has(reward.player);
    players.add(reward.player);
    (isCandidate ? candidates : others).push(reward);
  }
  return { candidates, others };
}
