import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createTransactionMessage,
  getUtf8Encoder,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { batchBytesOf } from '../accounts/claim-counter.ts';
import {
  findClaimCounter,
  findGlobalConfig,
  findLobbyConfig,
  findPayoutKey,
  findTokenAccount,
} from '../accounts/pdas.ts';
import { getClaimByPayoutKeyInstruction } from '../generated/instructions/claimByPayoutKey.ts';
import { getClaimInOrderInstruction } from '../generated/instructions/claimInOrder.ts';
import { getClaimMultipleRewardsInstruction } from '../generated/instructions/claimMultipleRewards.ts';

/**
 * Everything that a claim transaction says, as plain data: the same description always gives the same bytes, and with
 * the same key the same signature. Nothing is read from a chain.
 */
export type ClaimDescription = {
  readonly programId: Address;
  readonly superAdmin: Address;
  /** Signs instead of the super admin, in a lobby for which it was set. Such a claim needs a number. */
  readonly payoutKey?: Address | undefined;
  readonly lobbyId: bigint;
  /** The number that the program has to expect. Undefined for a lobby without a counter. */
  readonly number: bigint | undefined;
  /** Undefined for SOL. */
  readonly token: { readonly mint: Address; readonly program: Address } | undefined;
  /** In a token lobby each player needs a token account: none is created, because its rent would be the player's. */
  readonly rewards: readonly { readonly player: Address; readonly amount: bigint }[];
  /**
   * Written into the transaction. Without it, two batches with the same players and amounts in one slot would be one
   * transaction with one signature, and be paid once. A claim in order needs a UUID, another at most 36 bytes.
   */
  readonly batchId: string;
  /** Written after it: hashes of the matches that are paid. The more there are, the fewer players fit. */
  readonly proofs: readonly string[];
  readonly lifetime: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
  readonly computeUnits: number;
  readonly computePriceMicroLamports: bigint;
};

/** As much as a transaction may use. */
export const MAX_COMPUTE_UNITS = 1_400_000;
/** The program's limit. */
export const MAX_PLAYERS_PER_BATCH = 10;
/** A UUID. With a longer one the tenth player would not fit. */
const MAX_BATCH_ID_BYTES = 36;
/** More would leave no room for players. The payouts of one batch are almost always of one match. */
export const MAX_PROOFS = 2;
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export type ClaimMessage = Awaited<ReturnType<typeof buildClaimMessage>>;

/** Whose signature the claim needs. The same wallet pays the fee. */
export function claimantOf({ superAdmin, payoutKey }: Pick<ClaimDescription, 'superAdmin' | 'payoutKey'>) {
  return payoutKey ?? superAdmin;
}

/** Builds the transaction. Without a signer it can be simulated and compared, but not sent. */
export async function buildClaimMessage(
  description: ClaimDescription,
  signer: TransactionSigner = createNoopSigner(claimantOf(description)),
) {
  const instructions = await claimInstructions(description, signer);
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(signer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(description.lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => setTransactionMessageComputeUnitLimit(description.computeUnits, message),
    (message) => setTransactionMessageComputeUnitPrice(description.computePriceMicroLamports, message),
  );
}

async function claimInstructions(
  { programId, payoutKey, lobbyId, number, token, rewards, batchId, proofs }: ClaimDescription,
  signer: TransactionSigner,
): Promise<Instruction[]> {
  const lobbyConfig = await findLobbyConfig(programId, lobbyId);
  const accountOf = (owner: Address) =>
    token && findTokenAccount({ owner, mint: token.mint, tokenProgram: token.program });
  const pool = await accountOf(lobbyConfig);
  const claimed = {
    globalConfig: await findGlobalConfig(programId),
    lobbyConfig,
    amounts: rewards.map(({ amount }) => amount),
    ...(token &&
      pool && { rewardPoolTokenAccount: pool, tokenMint: token.mint, tokenProgram: token.program }),
  };
  const at = { programAddress: programId };
  const claim = await buildClaim();
  const recipients = [];
  for (const { player } of rewards) {
    const tokenAccount = await accountOf(player);
    if (!token || !tokenAccount) {
      recipients.push({ address: player, role: AccountRole.WRITABLE });
      continue;
    }
    recipients.push({ address: player, role: AccountRole.READONLY });
    recipients.push({ address: tokenAccount, role: AccountRole.WRITABLE });
  }
  if (proofs.length > MAX_PROOFS) throw new RangeError(`at most ${MAX_PROOFS} proofs, got ${proofs.length}`);
  // A claim in order has its id among the arguments, which is shorter.
  const words = number === undefined ? [expectShort(batchId), ...proofs] : proofs;
  const memo = { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(words.join(' ')) };
  return [{ ...claim, accounts: [...claim.accounts, ...recipients] }, ...(words.length > 0 ? [memo] : [])];

  async function buildClaim() {
    if (number === undefined) {
      if (payoutKey) throw new RangeError('a payout key claims in order only');
      return getClaimMultipleRewardsInstruction({ ...claimed, superAdmin: signer }, at);
    }
    const claimCounter = await findClaimCounter(programId, lobbyId);
    const inOrder = { ...claimed, claimCounter, number, batch: batchBytesOf(batchId) };
    if (!payoutKey) return getClaimInOrderInstruction({ ...inOrder, superAdmin: signer }, at);
    const granted = await findPayoutKey(programId, lobbyId);
    return getClaimByPayoutKeyInstruction({ ...inOrder, payoutSigner: signer, payoutKey: granted }, at);
  }
}

function expectShort(batchId: string): string {
  const length = getUtf8Encoder().encode(batchId).length;
  if (length > 0 && length <= MAX_BATCH_ID_BYTES) return batchId;
  throw new RangeError(`a batch id has 1 to ${MAX_BATCH_ID_BYTES} bytes, got ${JSON.stringify(batchId)}`);
}
