import {
  type Address,
  type GetAccountInfoApi,
  getBase64Encoder,
  type Instruction,
  type Rpc,
  type TransactionSigner,
} from '@solana/kit';
import { getMintDecoder, getMintSize } from '@solana-program/token';
import { NO_PAYOUT_KEY, type PayoutKeyTerms } from '../accounts/payout-key.ts';
import {
  findClaimCounter,
  findGlobalConfig,
  findLobbyConfig,
  findPayoutKey,
  findTokenAccount,
  isTokenProgram,
} from '../accounts/pdas.ts';
import { getCreateClaimCounterInstruction } from '../generated/instructions/createClaimCounter.ts';
import { getCreateLobbyInstruction } from '../generated/instructions/createLobby.ts';
import { getEditLobbyPriceInstruction } from '../generated/instructions/editLobbyPrice.ts';
import { getRemoveLobbyInstruction } from '../generated/instructions/removeLobby.ts';
import { getSetPayoutKeyInstruction } from '../generated/instructions/setPayoutKey.ts';

type LobbyRequest = {
  readonly programId: Address;
  readonly superAdmin: TransactionSigner;
  readonly lobbyId: bigint;
};

export async function createLobbyInstruction(
  request: LobbyRequest & {
    readonly entryFee: bigint;
    /** Undefined for a SOL lobby. */
    readonly tokenMint: Address | undefined;
  },
): Promise<Instruction> {
  const { programId, lobbyId, entryFee, tokenMint } = request;
  return getCreateLobbyInstruction(
    {
      ...(await lobbyAccounts(request)),
      lobbyId,
      entryFeeAmount: entryFee,
      isSolLobby: tokenMint === undefined,
      ...(tokenMint && { tokenMint }),
    },
    { programAddress: programId },
  );
}

/** From then on the lobby's claims are made in order. */
export async function createClaimCounterInstruction(request: LobbyRequest): Promise<Instruction> {
  const { programId, lobbyId } = request;
  return getCreateClaimCounterInstruction(
    { ...(await lobbyAccounts(request)), claimCounter: await findClaimCounter(programId, lobbyId) },
    { programAddress: programId },
  );
}

/** Sets the key that may claim from the lobby within limits. Undefined: none may. */
export async function setPayoutKeyInstruction(
  request: LobbyRequest & { readonly payoutKey: PayoutKeyTerms | undefined },
): Promise<Instruction> {
  const { programId, lobbyId, payoutKey = NO_PAYOUT_KEY } = request;
  return getSetPayoutKeyInstruction(
    { ...(await lobbyAccounts(request)), payoutKey: await findPayoutKey(programId, lobbyId), ...payoutKey },
    { programAddress: programId },
  );
}

export async function editLobbyPriceInstruction(
  request: LobbyRequest & { readonly entryFee: bigint },
): Promise<Instruction> {
  return getEditLobbyPriceInstruction(
    { ...(await lobbyAccounts(request)), entryFeeAmount: request.entryFee },
    { programAddress: request.programId },
  );
}

export async function removeLobbyInstruction(
  request: LobbyRequest & {
    readonly treasury: Address;
    /** The most that may go from the pool to the treasury. */
    readonly maxSurplus: bigint;
    /** Undefined for a SOL lobby. */
    readonly token: Token | undefined;
  },
): Promise<Instruction> {
  const { programId, treasury, maxSurplus, token } = request;
  const accounts = await lobbyAccounts(request);
  return getRemoveLobbyInstruction(
    {
      ...accounts,
      platformTreasury: treasury,
      maxSurplusAmount: maxSurplus,
      ...(token && {
        tokenMint: token.mint,
        tokenProgram: token.tokenProgram,
        rewardPoolTokenAccount: await findTokenAccount({ ...token, owner: accounts.lobbyConfig }),
        ...(maxSurplus > 0n && {
          treasuryTokenAccount: await findTokenAccount({ ...token, owner: treasury }),
        }),
      }),
    },
    { programAddress: programId },
  );
}

type Token = { readonly mint: Address; readonly tokenProgram: Address };

/** Undefined if the address is not the mint of a token. */
export async function readMint(
  rpc: Rpc<GetAccountInfoApi>,
  mint: Address,
): Promise<(Token & { readonly decimals: number }) | undefined> {
  const { value } = await rpc.getAccountInfo(mint, { encoding: 'base64', commitment: 'confirmed' }).send();
  if (!value || !isTokenProgram(value.owner)) return undefined;
  const data = getBase64Encoder().encode(value.data[0]);
  if (data.length < getMintSize()) return undefined;
  const { decimals, isInitialized } = getMintDecoder().decode(data);
  return isInitialized ? { mint, tokenProgram: value.owner, decimals } : undefined;
}

/** Whether the id is free. It is not if a lobby has it, nor if a lobby that was removed had it. */
export async function isLobbyIdFree(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
  lobbyId: bigint,
): Promise<boolean> {
  const address = await findLobbyConfig(programId, lobbyId);
  const { value } = await rpc.getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' }).send();
  return value?.owner !== programId;
}

async function lobbyAccounts({ programId, superAdmin, lobbyId }: LobbyRequest) {
  return {
    globalConfig: await findGlobalConfig(programId),
    lobbyConfig: await findLobbyConfig(programId, lobbyId),
    superAdmin,
  };
}
