import {
  type Address,
  type GetAccountInfoApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  getBase64Encoder,
  type ReadonlyUint8Array,
  type Rpc,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { AccountState, getTokenDecoder, getTokenSize } from '@solana-program/token';
import { findTokenAccount, isTokenProgram } from '../accounts/pdas.ts';
import type { Lobby } from '../accounts/read-configs.ts';

export type Reward = {
  readonly player: Address;
  readonly amount: bigint;
};

export type Payee<R extends Reward> = {
  readonly reward: R;
  readonly isPayable: boolean;
};

type PayeeRpc = Rpc<GetAccountInfoApi & GetMultipleAccountsApi & GetMinimumBalanceForRentExemptionApi>;

/** Finds where each reward goes and whether it can arrive: one that cannot would fail the whole batch. */
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

/** No wallet may hold less than the rent minimum, so an empty one cannot receive less than that. */
async function readSolPayees<R extends Reward>(rpc: PayeeRpc, rewards: readonly R[]): Promise<Payee<R>[]> {
  const rent = await rpc.getMinimumBalanceForRentExemption(0n).send();
  const wallets = await readWallets(rpc, rewards);
  return rewards.map((reward, index) => {
    const { isWallet, lamports } = wallets[index]!;
    return { reward, isPayable: isWallet && lamports + reward.amount >= rent };
  });
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
  const [wallets, states] = await Promise.all([readWallets(rpc, rewards), readAccounts(rpc, tokenAccounts)]);
  return rewards.map((reward, index) => {
    const state = states[index];
    const isMissing = !state || state.owner === SYSTEM_PROGRAM_ADDRESS;
    const canArrive = !isMissing && canReceive(state.data[0], reward.player);
    return { reward, isPayable: wallets[index]!.isWallet && canArrive };
  });
}

/** A player can assign the wallet to a program; the arena program refuses some of these, and the batch with them. */
async function readWallets(rpc: PayeeRpc, rewards: readonly Reward[]) {
  const accounts = await readAccounts(
    rpc,
    rewards.map(({ player }) => player),
  );
  return accounts.map((account) => ({
    isWallet: !account || account.owner === SYSTEM_PROGRAM_ADDRESS,
    lamports: account?.lamports ?? 0n,
  }));
}

/** A player can give the account away or make it require memos; the mint's authority can freeze it. */
function canReceive(dataBase64: string, player: Address): boolean {
  const data = getBase64Encoder().encode(dataBase64);
  if (data.length < getTokenSize()) return false;
  const { owner, state } = getTokenDecoder().decode(data);
  return owner === player && state === AccountState.Initialized && !requiresMemo(data);
}

const EXTENSIONS_OFFSET = getTokenSize() + 1;
const MEMO_TRANSFER_EXTENSION = 8;

/** Token-2022 stores extensions after the account, as entries of type u16, length u16, value. Type 0 ends the list. */
function requiresMemo(data: ReadonlyUint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let offset = EXTENSIONS_OFFSET;
  while (offset + 4 < data.length) {
    const kind = view.getUint16(offset, true);
    if (kind === 0) return false;
    if (kind === MEMO_TRANSFER_EXTENSION) return view.getUint8(offset + 4) !== 0;
    offset += 4 + view.getUint16(offset + 2, true);
  }
  return false;
}

async function readAccounts(rpc: PayeeRpc, addresses: readonly Address[]) {
  const { value } = await rpc
    .getMultipleAccounts(addresses, { encoding: 'base64', commitment: 'confirmed' })
    .send();
  return value;
}
