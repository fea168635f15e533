import type {
  Address,
  GetAccountInfoApi,
  GetMinimumBalanceForRentExemptionApi,
  GetMultipleAccountsApi,
  Instruction,
  Rpc,
  TransactionSigner,
} from '@solana/kit';
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { findTokenAccount } from '../accounts/pdas.ts';
import type { Lobby } from '../accounts/read-configs.ts';
import { type Reward, readPayees, tokenProgramOf } from './reward-payees.ts';

type LackRpc = Rpc<GetAccountInfoApi & GetMultipleAccountsApi & GetMinimumBalanceForRentExemptionApi>;

/** What a wallet lacks to receive a reward. */
export type WalletLack =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'lamports'; readonly lamports: bigint }
  | { readonly kind: 'token account'; readonly tokenAccount: Address; readonly tokenProgram: Address }
  /** Its owner, or that of the token, made it refuse payments. Nobody else can change that. */
  | { readonly kind: 'consent' };

export async function findWalletLack(rpc: LackRpc, lobby: Lobby, reward: Reward): Promise<WalletLack> {
  const tokenProgram = lobby.isSolLobby ? undefined : await tokenProgramOf(rpc, lobby.tokenMint);
  const [payee] = await readPayees(rpc, lobby, tokenProgram, [reward]);
  if (payee!.isPayable) return { kind: 'nothing' };
  const read = async (address: Address) =>
    (await rpc.getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' }).send()).value;
  const wallet = await read(reward.player);
  if (wallet && wallet.owner !== SYSTEM_PROGRAM_ADDRESS) return { kind: 'consent' };
  if (!tokenProgram) {
    const rent = await rpc.getMinimumBalanceForRentExemption(0n).send();
    return { kind: 'lamports', lamports: rent - reward.amount - (wallet?.lamports ?? 0n) };
  }
  const tokenAccount = await findTokenAccount({ owner: reward.player, mint: lobby.tokenMint, tokenProgram });
  const tokens = await read(tokenAccount);
  if (tokens && tokens.owner !== SYSTEM_PROGRAM_ADDRESS) return { kind: 'consent' };
  return { kind: 'token account', tokenAccount, tokenProgram };
}

/** Gives the wallet what it lacks. */
export function fillWalletLack(
  payer: TransactionSigner,
  { tokenMint: mint }: Lobby,
  { player }: Reward,
  lack: Extract<WalletLack, { kind: 'lamports' | 'token account' }>,
): Instruction {
  if (lack.kind === 'lamports')
    return getTransferSolInstruction({ source: payer, destination: player, amount: lack.lamports });
  const { tokenAccount: ata, tokenProgram } = lack;
  return getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: player, mint, tokenProgram });
}
