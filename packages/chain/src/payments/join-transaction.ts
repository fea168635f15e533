import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { splitFee } from '@engulf/domain/money/bounty';
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type GetAccountInfoApi,
  type GetLatestBlockhashApi,
  type GetMultipleAccountsApi,
  type GetRecentPrioritizationFeesApi,
  getUtf8Encoder,
  type Instruction,
  pipe,
  type Rpc,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { findGlobalConfig, findTokenAccount, isTokenProgram } from '../accounts/pdas.ts';
import { type Lobby, readGlobalConfig, readLobby } from '../accounts/read-configs.ts';
import { getJoinLobbyInstruction } from '../generated/instructions/joinLobby.ts';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';
import { bidForBlock, readRecentPrice } from '../payouts/compute-budget.ts';
import { writeInputsMemo } from './inputs-memo.ts';

type JoinRpc = Rpc<
  GetAccountInfoApi & GetMultipleAccountsApi & GetLatestBlockhashApi & GetRecentPrioritizationFeesApi
>;

export type JoinRequest = {
  readonly rpc: JoinRpc;
  readonly programId: Address;
  readonly lobbyId: bigint;
  /** For a wallet that signs elsewhere: kit's `createNoopSigner(address)`. */
  readonly player: TransactionSigner;
  /** The price shown to the player. The program refuses any other. */
  readonly entryFee: bigint;
  /** The treasury from the configuration. A different one on chain is refused. */
  readonly treasury: Address;
  /** The fee shown to the player. A different one on chain is refused. Without it, the one on chain is accepted. */
  readonly platformFeeBasisPoints?: number;
  /** What the player will sign its inputs with, in hexadecimal. */
  readonly inputsKey?: string | undefined;
};

export type JoinRefusal = Failure<
  | 'LOBBY_NOT_FOUND'
  | 'ARENA_PROGRAM_MISMATCH'
  | 'TREASURY_MISMATCH'
  | 'PLATFORM_FEE_MISMATCH'
  | 'REWARD_POOL_ACCOUNT_MISMATCH'
  | 'PROGRAM_ENTRY_FEE_CHANGED'
  | 'PROGRAM_INCORRECT_TOKEN_MINT'
>;

/** Builds the transaction that pays for a seat in a lobby, ready to be signed. */
export async function buildJoinTransaction(request: JoinRequest) {
  const built = await buildJoinInstructions(request);
  if (!built.ok) return built;
  const { instructions: joining, writes } = built.value;
  const { inputsKey } = request;
  const instructions = [...joining, ...(inputsKey === undefined ? [] : [memoInstruction(inputsKey)])];
  // A memo takes less than an account.
  const computeUnits = JOIN_COMPUTE_UNITS + (instructions.length - 1) * CREATION_COMPUTE_UNITS;
  const [{ value: lifetime }, recentPrice] = await Promise.all([
    request.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(),
    // A node that cannot tell must not keep anybody out: then the least price is bid.
    readRecentPrice(request.rpc, writes).catch(() => 0n),
  ]);
  const maxFeeLamports = MAX_PRIORITY_FEE_LAMPORTS;
  const price = bidForBlock({ computeUnits, recentPrice, expiries: 0, maxFeeLamports });
  return ok(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(request.player, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => setTransactionMessageComputeUnitLimit(computeUnits, message),
      (message) => setTransactionMessageComputeUnitPrice(price, message),
    ),
  );
}

/** A join takes 6,372 in SOL; a token may have a program that works for each transfer. */
const JOIN_COMPUTE_UNITS = 100_000;
const CREATION_COMPUTE_UNITS = 40_000;
/** A tenth of a thousandth of a SOL. */
const MAX_PRIORITY_FEE_LAMPORTS = 100_000n;

function memoInstruction(inputsKey: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(writeInputsMemo(inputsKey)) };
}

type JoinInstructions = {
  readonly instructions: readonly Instruction[];
  /** The accounts that everybody who joins this lobby wants to write to. */
  readonly writes: readonly Address[];
};

async function buildJoinInstructions(request: JoinRequest): Promise<Result<JoinInstructions, JoinRefusal>> {
  const { rpc, programId, lobbyId, entryFee, treasury, platformFeeBasisPoints } = request;
  const [globalConfig, lobby] = await Promise.all([
    readGlobalConfig(rpc, programId),
    readLobby(rpc, programId, lobbyId),
  ]);
  if (!globalConfig) return err(failure('ARENA_PROGRAM_MISMATCH'));
  if (!lobby) return err(failure('LOBBY_NOT_FOUND'));
  if (globalConfig.platformTreasury !== treasury) return err(failure('TREASURY_MISMATCH'));
  const feeOnChain = globalConfig.platformFeeBasisPoints;
  if (feeOnChain !== (platformFeeBasisPoints ?? feeOnChain)) return err(failure('PLATFORM_FEE_MISMATCH'));
  if (lobby.entryFeeAmount !== entryFee) return err(failure('PROGRAM_ENTRY_FEE_CHANGED'));
  const { stake } = splitFee(entryFee, feeOnChain);
  if (lobby.isSolLobby)
    return ok({ instructions: [await joinInstruction(request, lobby, stake)], writes: [lobby.address] });

  const accounts = await findTokenAccounts(request, lobby);
  if (!accounts) return err(failure('PROGRAM_INCORRECT_TOKEN_MINT'));
  if (accounts.rewardPoolTokenAccount !== lobby.rewardPoolTokenAccount) {
    return err(failure('REWARD_POOL_ACCOUNT_MISMATCH'));
  }
  const creations = await createMissingAccounts(request, lobby, accounts);
  const instructions = [...creations, await joinInstruction(request, lobby, stake, accounts)];
  return ok({ instructions, writes: [accounts.rewardPoolTokenAccount] });
}

type TokenAccounts = {
  readonly tokenProgram: Address;
  readonly playerTokenAccount: Address;
  readonly treasuryTokenAccount: Address;
  readonly rewardPoolTokenAccount: Address;
};

/** Undefined if the mint does not exist or is not a token's. */
async function findTokenAccounts(request: JoinRequest, lobby: Lobby): Promise<TokenAccounts | undefined> {
  const mint = lobby.tokenMint;
  const { value: mintAccount } = await request.rpc.getAccountInfo(mint, { encoding: 'base64' }).send();
  if (!mintAccount || !isTokenProgram(mintAccount.owner)) return undefined;
  const tokenProgram = mintAccount.owner;
  const [playerTokenAccount, treasuryTokenAccount, rewardPoolTokenAccount] = await Promise.all(
    [request.player.address, request.treasury, lobby.address].map((owner) =>
      findTokenAccount({ owner, mint, tokenProgram }),
    ) as [Promise<Address>, Promise<Address>, Promise<Address>],
  );
  return { tokenProgram, playerTokenAccount, treasuryTokenAccount, rewardPoolTokenAccount };
}

async function createMissingAccounts(
  request: JoinRequest,
  lobby: Lobby,
  accounts: TokenAccounts,
): Promise<Instruction[]> {
  const wanted = [
    { ata: accounts.playerTokenAccount, owner: request.player.address },
    { ata: accounts.treasuryTokenAccount, owner: request.treasury },
    { ata: accounts.rewardPoolTokenAccount, owner: lobby.address },
  ];
  const { value: existing } = await request.rpc
    .getMultipleAccounts(
      wanted.map(({ ata }) => ata),
      { encoding: 'base64', commitment: 'confirmed' },
    )
    .send();
  return wanted
    .filter((_, index) => existing[index] === null)
    .map(({ ata, owner }) =>
      getCreateAssociatedTokenIdempotentInstruction({
        payer: request.player,
        ata,
        owner,
        mint: lobby.tokenMint,
        tokenProgram: accounts.tokenProgram,
      }),
    );
}

async function joinInstruction(
  request: JoinRequest,
  lobby: Lobby,
  minStake: bigint,
  accounts?: TokenAccounts,
): Promise<Instruction> {
  return getJoinLobbyInstruction(
    {
      globalConfig: await findGlobalConfig(request.programId),
      lobbyConfig: lobby.address,
      player: request.player,
      platformTreasury: request.treasury,
      expectedEntryFeeAmount: request.entryFee,
      minStakeAmount: minStake,
      ...(accounts && { ...accounts, tokenMint: lobby.tokenMint }),
    },
    { programAddress: request.programId },
  );
}
