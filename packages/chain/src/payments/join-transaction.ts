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
  type Instruction,
  pipe,
  type Rpc,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { findGlobalConfig, findTokenAccount, isTokenProgram } from '../accounts/pdas.ts';
import { type Lobby, readGlobalConfig, readLobby } from '../accounts/read-configs.ts';
import { getJoinLobbyInstruction } from '../generated/instructions/joinLobby.ts';

type JoinRpc = Rpc<GetAccountInfoApi & GetMultipleAccountsApi & GetLatestBlockhashApi>;

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
  const instructions = await buildJoinInstructions(request);
  if (!instructions.ok) return instructions;
  const { value: lifetime } = await request.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  return ok(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(request.player, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions.value, message),
    ),
  );
}

async function buildJoinInstructions(request: JoinRequest): Promise<Result<Instruction[], JoinRefusal>> {
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
  if (lobby.isSolLobby) return ok([await joinInstruction(request, lobby, stake)]);

  const accounts = await findTokenAccounts(request, lobby);
  if (!accounts) return err(failure('PROGRAM_INCORRECT_TOKEN_MINT'));
  if (accounts.rewardPoolTokenAccount !== lobby.rewardPoolTokenAccount) {
    return err(failure('REWARD_POOL_ACCOUNT_MISMATCH'));
  }
  const creations = await createMissingAccounts(request, lobby, accounts);
  return ok([...creations, await joinInstruction(request, lobby, stake, accounts)]);
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
