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
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { batchBytesOf } from '../accounts/claim-counter.ts';
import { findClaimCounter, findGlobalConfig, findLobbyConfig, findTokenAccount } from '../accounts/pdas.ts';
import { getClaimInOrderInstruction } from '../generated/instructions/claimInOrder.ts';
import { getClaimMultipleRewardsInstruction } from '../generated/instructions/claimMultipleRewards.ts';

/**
 * Everything that a claim transaction says, as plain data: the same description always gives the same bytes, and with
 * the same key the same signature. Nothing is read from a chain.
 */
export type ClaimDescription = {
  readonly programId: Address;
  readonly superAdmin: Address;
  readonly lobbyId: bigint;
  /** The number that the program has to expect. Undefined for a lobby without a counter. */
  readonly number: bigint | undefined;
  /** Undefined for SOL. */
  readonly token: { readonly mint: Address; readonly program: Address } | undefined;
  readonly rewards: readonly ClaimedReward[];
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

type ClaimedReward = {
  readonly player: Address;
  readonly amount: bigint;
  /** Token lobbies: create the player's token account first, at the expense of the super admin. */
  readonly createsTokenAccount: boolean;
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

/** Builds the transaction. Without a signer it can be simulated and compared, but not sent. */
export async function buildClaimMessage(
  description: ClaimDescription,
  signer: TransactionSigner = createNoopSigner(description.superAdmin),
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
  { programId, lobbyId, number, token, rewards, batchId, proofs }: ClaimDescription,
  signer: TransactionSigner,
): Promise<Instruction[]> {
  const lobbyConfig = await findLobbyConfig(programId, lobbyId);
  const accountOf = (owner: Address) =>
    token && findTokenAccount({ owner, mint: token.mint, tokenProgram: token.program });
  const pool = await accountOf(lobbyConfig);
  const claimed = {
    globalConfig: await findGlobalConfig(programId),
    lobbyConfig,
    superAdmin: signer,
    amounts: rewards.map(({ amount }) => amount),
    ...(token &&
      pool && { rewardPoolTokenAccount: pool, tokenMint: token.mint, tokenProgram: token.program }),
  };
  const at = { programAddress: programId };
  const claim =
    number === undefined
      ? getClaimMultipleRewardsInstruction(claimed, at)
      : getClaimInOrderInstruction(
          {
            ...claimed,
            claimCounter: await findClaimCounter(programId, lobbyId),
            number,
            batch: batchBytesOf(batchId),
          },
          at,
        );
  const recipients = [];
  const creations: Instruction[] = [];
  for (const { player, createsTokenAccount } of rewards) {
    const tokenAccount = await accountOf(player);
    if (!token || !tokenAccount) {
      recipients.push({ address: player, role: AccountRole.WRITABLE });
      continue;
    }
    recipients.push({ address: player, role: AccountRole.READONLY });
    recipients.push({ address: tokenAccount, role: AccountRole.WRITABLE });
    if (!createsTokenAccount) continue;
    creations.push(
      getCreateAssociatedTokenIdempotentInstruction({
        payer: signer,
        ata: tokenAccount,
        owner: player,
        mint: token.mint,
        tokenProgram: token.program,
      }),
    );
  }
  if (proofs.length > MAX_PROOFS) throw new RangeError(`at most ${MAX_PROOFS} proofs, got ${proofs.length}`);
  // A claim in order has its id among the arguments, which is shorter.
  const words = number === undefined ? [expectShort(batchId), ...proofs] : proofs;
  const memo = { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(words.join(' ')) };
  return [
    ...creations,
    { ...claim, accounts: [...claim.accounts, ...recipients] },
    ...(words.length > 0 ? [memo] : []),
  ];
}

function expectShort(batchId: string): string {
  const length = getUtf8Encoder().encode(batchId).length;
  if (length > 0 && length <= MAX_BATCH_ID_BYTES) return batchId;
  throw new RangeError(`a batch id has 1 to ${MAX_BATCH_ID_BYTES} bytes, got ${JSON.stringify(batchId)}`);
}
