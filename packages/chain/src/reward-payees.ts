import {
  type Address,
  type GetAccountInfoApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  getBase64Encoder,
  type Instruction,
  type Rpc,
  type TransactionSigner,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import {
  AccountState,
  getCreateAssociatedTokenIdempotentInstruction,
  getTokenDecoder,
  getTokenSize,
} from '@solana-program/token';
import { findTokenAccount } from './pdas.ts';
import type { Lobby } from './read-configs.ts';
import { isTokenProgram } from './token-programs.ts';

export interface Reward {
  readonly player: Address;
  readonly amount: bigint;
}

export interface Payee<R extends Reward> {
  readonly reward: R;
  readonly isPayable: boolean;
  /** Token lobbies only. */
  readonly tokenAccount?: Address;
  /** Present if the token account does not exist yet. */
  readonly createTokenAccount?: (payer: TransactionSigner) => Instruction;
}

type PayeeRpc = Rpc<GetAccountInfoApi & GetMultipleAccountsApi & GetMinimumBalanceForRentExemptionApi>;

/** Where each reward goes, and whether it can arrive: one that cannot would fail everybody's. */
export function readPayees<R extends Reward>(
  rpc: PayeeRpc,
  lobby: Lobby,
  tokenProgram: Address | undefined,
  rewards: readonly R[],
): Promise<Payee<R>[]> {
  if (rewards.length === 0) return Promise.resolve([]);
  return tokenProgram
    ? readTokenPayees(rpc, lobby.tokenMint, tokenProgram, rewards)
    : readSolPayees(rpc, rewards);
}

export async function tokenProgramOf(rpc: Rpc<GetAccountInfoApi>, mint: Address): Promise<Address> {
  const { value } = await rpc.getAccountInfo(mint, { encoding: 'base64' }).send();
  if (!value || !isTokenProgram(value.owner)) throw new Error(`${mint} is not the mint of a token`);
  return value.owner;
}

/** The chain lets no wallet exist below the rent minimum, so an empty one cannot receive less than that. */
async function readSolPayees<R extends Reward>(rpc: PayeeRpc, rewards: readonly R[]): Promise<Payee<R>[]> {
  const rent = await rpc.getMinimumBalanceForRentExemption(0n).send();
  const wallets = await readAccounts(
    rpc,
    rewards.map(({ player }) => player),
  );
  return rewards.map((reward, index) => ({
    reward,
    isPayable: (wallets[index]?.lamports ?? 0n) + reward.amount >= rent,
  }));
}

async function readTokenPayees<R extends Reward>(
  rpc: PayeeRpc,
  mint: Address,
  tokenProgram: Address,
  rewards: readonly R[],
): Promise<Payee<R>[]> {
  const tokenAccounts = await Promise.all(
    rewards.map(({ player }) => findTokenAccount({ owner: player, mint, tokenProgram })),
  );
  const states = await readAccounts(rpc, tokenAccounts);
  return rewards.map((reward, index) => {
    const tokenAccount = tokenAccounts[index]!;
    const state = states[index];
    if (!state || state.owner === SYSTEM_PROGRAM_ADDRESS) {
      const createTokenAccount = (payer: TransactionSigner) =>
        getCreateAssociatedTokenIdempotentInstruction({
          payer,
          ata: tokenAccount,
          owner: reward.player,
          mint,
          tokenProgram,
        });
      return { reward, isPayable: true, tokenAccount, createTokenAccount };
    }
    return { reward, isPayable: canReceive(state.data[0], reward.player), tokenAccount };
  });
}

/** A player can give the account away, and a mint's authority can freeze it. */
function canReceive(dataBase64: string, player: Address): boolean {
  const data = getBase64Encoder().encode(dataBase64);
  if (data.length < getTokenSize()) return false;
  const { owner, state } = getTokenDecoder().decode(data);
  return owner === player && state === AccountState.Initialized;
}

async function readAccounts(rpc: PayeeRpc, addresses: readonly Address[]) {
  const { value } = await rpc
    .getMultipleAccounts(addresses, { encoding: 'base64', commitment: 'confirmed' })
    .send();
  return value;
}
