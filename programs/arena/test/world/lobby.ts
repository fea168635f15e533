import { AccountRole, type Address, type KeyPairSigner } from '@solana/kit';
import { expectOk, type Result } from './outcome.ts';
import { associatedTokenAccount, type Mint } from './tokens.ts';
import { type Call, call, findLobby, type World } from './world.ts';

export type Lobby = {
  id: bigint;
  address: Address;
  entryFee: bigint;
  /** The token accounts, by IDL name, that every instruction on a token lobby takes; none for a SOL lobby. */
  pool: { reward_pool_token_account: Address; token_mint: Address; token_program: Address } | undefined;
};

/** Replaced accounts, by IDL name; `undefined` leaves an optional one out. */
export type Changes = Record<string, Call['accounts'][string] | undefined>;

export async function createLobby(
  world: World,
  options: { id?: bigint; entryFee: bigint; mint?: Mint },
): Promise<Lobby> {
  const { id = 7n, entryFee, mint } = options;
  const address = await findLobby(world, id);
  const pool = mint && {
    reward_pool_token_account: await associatedTokenAccount(address, mint),
    token_mint: mint.address,
    token_program: mint.tokenProgram,
  };
  const lobby = { id, address, entryFee, pool };
  expectOk(await requestLobby(world, lobby));
  return lobby;
}

export function requestLobby(
  world: World,
  lobby: Lobby,
  changes: Changes = {},
  payer?: KeyPairSigner,
): Promise<Result> {
  const accounts = merge(
    { global_config: world.globalConfig, lobby_config: lobby.address, super_admin: world.superAdmin },
    { token_mint: lobby.pool?.token_mint, ...changes },
  );
  const args = { lobby_id: lobby.id, entry_fee_amount: lobby.entryFee, is_sol_lobby: !lobby.pool };
  return call(world, { name: 'create_lobby', accounts, args, ...(payer && { payer }) });
}

export async function join(
  world: World,
  lobby: Lobby,
  options: { player?: KeyPairSigner; expectedEntryFee?: bigint; minStake?: bigint; changes?: Changes } = {},
): Promise<Result> {
  const { player = world.player, expectedEntryFee, minStake, changes } = options;
  const joining = await joinCall(world, lobby, player, expectedEntryFee, changes, minStake);
  return call(world, { payer: player, ...joining });
}

export async function joinCall(
  world: World,
  lobby: Lobby,
  player: KeyPairSigner,
  expectedEntryFee = lobby.entryFee,
  changes: Changes = {},
  minStake = 0n,
): Promise<Call> {
  const mint = mintOf(lobby);
  const tokenAccounts = mint && {
    player_token_account: await associatedTokenAccount(player.address, mint),
    treasury_token_account: await associatedTokenAccount(world.treasury.address, mint),
  };
  const accounts = merge(
    {
      global_config: world.globalConfig,
      lobby_config: lobby.address,
      player,
      platform_treasury: world.treasury.address,
    },
    { ...tokenAccounts, ...lobby.pool, ...changes },
  );
  const args = { expected_entry_fee_amount: expectedEntryFee, min_stake_amount: minStake };
  return { name: 'join_lobby', accounts, args };
}

export async function claim(
  world: World,
  lobby: Lobby,
  wallet: Address,
  amount: bigint,
  changes: Changes = {},
  payer?: KeyPairSigner,
): Promise<Result> {
  const mint = mintOf(lobby);
  const tokenAccounts = mint && { player_token_account: await associatedTokenAccount(wallet, mint) };
  const accounts = merge(
    {
      global_config: world.globalConfig,
      lobby_config: lobby.address,
      super_admin: world.superAdmin,
      player: wallet,
    },
    { ...tokenAccounts, ...lobby.pool, ...changes },
  );
  return call(world, { name: 'claim_reward', accounts, args: { amount }, ...(payer && { payer }) });
}

export type Payout = {
  wallet: Address;
  amount: bigint;
  /** In token lobbies; defaults to the wallet's associated token account. */
  tokenAccount?: Address;
};

export async function claimBatch(
  world: World,
  lobby: Lobby,
  payouts: Payout[],
  changes: Changes = {},
  payer?: KeyPairSigner,
): Promise<Result> {
  return call(world, { ...(await claimBatchCall(world, lobby, payouts, changes)), ...(payer && { payer }) });
}

export async function claimBatchCall(
  world: World,
  lobby: Lobby,
  payouts: Payout[],
  changes: Changes = {},
): Promise<Call> {
  const mint = mintOf(lobby);
  const recipients = await Promise.all(
    payouts.map(async ({ wallet, tokenAccount }) =>
      mint
        ? [
            { address: wallet, role: AccountRole.READONLY },
            {
              address: tokenAccount ?? (await associatedTokenAccount(wallet, mint)),
              role: AccountRole.WRITABLE,
            },
          ]
        : [{ address: wallet, role: AccountRole.WRITABLE }],
    ),
  );
  const accounts = merge(
    { global_config: world.globalConfig, lobby_config: lobby.address, super_admin: world.superAdmin },
    { ...lobby.pool, ...changes },
  );
  const args = { amounts: payouts.map(({ amount }) => amount) };
  return { name: 'claim_multiple_rewards', accounts, args, remaining: recipients.flat() };
}

export async function remove(
  world: World,
  lobby: Lobby,
  options: { changes?: Changes; payer?: KeyPairSigner; maxSurplus?: bigint } = {},
): Promise<Result> {
  const { changes, payer, maxSurplus } = options;
  return call(world, { ...(await removeCall(world, lobby, changes, maxSurplus)), ...(payer && { payer }) });
}

export async function removeCall(
  world: World,
  lobby: Lobby,
  changes: Changes = {},
  maxSurplus = 0n,
): Promise<Call> {
  const mint = mintOf(lobby);
  const treasury = world.treasury.address;
  const accounts = merge(
    {
      global_config: world.globalConfig,
      lobby_config: lobby.address,
      super_admin: world.superAdmin,
      platform_treasury: treasury,
    },
    {
      ...lobby.pool,
      treasury_token_account: mint && (await associatedTokenAccount(treasury, mint)),
      ...changes,
    },
  );
  return { name: 'remove_lobby', accounts, args: { max_surplus_amount: maxSurplus } };
}

export function editPrice(
  world: World,
  lobby: Lobby,
  entryFee: bigint,
  changes: Changes = {},
  payer?: KeyPairSigner,
): Promise<Result> {
  const accounts = merge(
    { global_config: world.globalConfig, lobby_config: lobby.address, super_admin: world.superAdmin },
    changes,
  );
  const args = { entry_fee_amount: entryFee };
  return call(world, { name: 'edit_lobby_price', accounts, args, ...(payer && { payer }) });
}

function mintOf(lobby: Lobby): Mint | undefined {
  return lobby.pool && { address: lobby.pool.token_mint, tokenProgram: lobby.pool.token_program };
}

function merge(accounts: Call['accounts'], changes: Changes): Call['accounts'] {
  const merged: Changes = { ...accounts, ...changes };
  return Object.fromEntries(
    Object.entries(merged).filter(
      (entry): entry is [string, Call['accounts'][string]] => entry[1] !== undefined,
    ),
  );
}
