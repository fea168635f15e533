import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type GetAccountInfoApi,
  type GetLatestBlockhashApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  getUtf8Encoder,
  type Instruction,
  isTransactionMessageWithinSizeLimit,
  pipe,
  type Rpc,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { getClaimMultipleRewardsInstruction } from './generated/instructions/claimMultipleRewards.ts';
import { findGlobalConfig } from './pdas.ts';
import type { Lobby } from './read-configs.ts';
import { type Payee, type Reward, readPayees, tokenProgramOf } from './reward-payees.ts';

type ClaimRpc = Rpc<
  GetAccountInfoApi & GetMultipleAccountsApi & GetMinimumBalanceForRentExemptionApi & GetLatestBlockhashApi
>;

type ClaimRequest<R extends Reward> = {
  readonly rpc: ClaimRpc;
  readonly programId: Address;
  readonly lobby: Lobby;
  readonly superAdmin: TransactionSigner;
  /** In the order of payment. */
  readonly rewards: readonly R[];
  /**
   * Written into the transaction, at most 256 bytes; the longer it is, the fewer players fit. It must differ from batch
   * to batch: two batches with the same players and amounts in one slot would be one transaction with one signature,
   * and be paid once.
   */
  readonly memo: string;
};

/** As much as a transaction may use. Replaced by what a simulation needed. */
const MAX_COMPUTE_UNITS = 1_400_000;

/** The program's limit. */
const MAX_PLAYERS_PER_BATCH = 10;
const MAX_MEMO_BYTES = 256;
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/**
 * Builds one transaction that pays as many of the rewards as fit. The rest is either `waiting` for a later batch, or
 * `unpayable`: the chain would refuse it now, and the whole batch with it.
 */
export async function buildClaimBatch<R extends Reward>(request: ClaimRequest<R>) {
  const { candidates, others } = takeDistinctPlayers(request.rewards);
  const tokenProgram = request.lobby.isSolLobby
    ? undefined
    : await tokenProgramOf(request.rpc, request.lobby.tokenMint);
  const payees = await readPayees(request.rpc, request.lobby, tokenProgram, candidates);
  const payable = payees.filter((payee) => payee.isPayable);
  const unpayable = payees.filter((payee) => !payee.isPayable).map(({ reward }) => reward);
  const { context, value: lifetime } = await request.rpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send();
  const globalConfig = await findGlobalConfig(request.programId);

  const messageFor = (chosen: readonly Payee<R>[]) =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(request.superAdmin, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) =>
        appendTransactionMessageInstructions(
          claimInstructions(request, globalConfig, tokenProgram, chosen),
          message,
        ),
      // Always present, so that setting them later does not make the message longer.
      (message) => setTransactionMessageComputeUnitLimit(MAX_COMPUTE_UNITS, message),
      (message) => setTransactionMessageComputeUnitPrice(0n, message),
    );
  let count = payable.length;
  // Creating token accounts leaves less room for payments.
  while (count > 0 && !isTransactionMessageWithinSizeLimit(messageFor(payable.slice(0, count)))) count--;
  const chosen = payable.slice(0, count);
  return {
    message: count > 0 ? messageFor(chosen) : undefined,
    paid: chosen.map(({ reward }) => reward),
    waiting: [...payable.slice(count).map(({ reward }) => reward), ...others],
    unpayable,
    /** A slot before the signing. */
    builtAtSlot: context.slot,
  };
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

function claimInstructions<R extends Reward>(
  { programId, lobby, superAdmin, memo }: ClaimRequest<R>,
  globalConfig: Address,
  tokenProgram: Address | undefined,
  payees: readonly Payee<R>[],
): Instruction[] {
  const claim = getClaimMultipleRewardsInstruction(
    {
      globalConfig,
      lobbyConfig: lobby.address,
      superAdmin,
      amounts: payees.map(({ reward }) => reward.amount),
      ...(tokenProgram && {
        rewardPoolTokenAccount: lobby.rewardPoolTokenAccount,
        tokenMint: lobby.tokenMint,
        tokenProgram,
      }),
    },
    { programAddress: programId },
  );
  const recipients = payees.flatMap(({ reward, tokenAccount }) =>
    tokenAccount
      ? [
          { address: reward.player, role: AccountRole.READONLY },
          { address: tokenAccount, role: AccountRole.WRITABLE },
        ]
      : [{ address: reward.player, role: AccountRole.WRITABLE }],
  );
  const creations = payees.flatMap(({ createTokenAccount }) => createTokenAccount?.(superAdmin) ?? []);
  return [...creations, { ...claim, accounts: [...claim.accounts, ...recipients] }, memoInstruction(memo)];
}

function memoInstruction(memo: string): Instruction {
  const data = getUtf8Encoder().encode(memo);
  if (data.length === 0 || data.length > MAX_MEMO_BYTES) {
    throw new RangeError(`a memo has 1 to ${MAX_MEMO_BYTES} bytes, got ${JSON.stringify(memo)}`);
  }
  return { programAddress: MEMO_PROGRAM, data };
}
