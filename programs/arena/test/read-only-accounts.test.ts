import { AccountRole, type Address, isSignerRole } from '@solana/kit';
import { expect, test } from 'vitest';
import { byPayoutKeyCall, counterCall, orderedCall, payoutKeyCall } from './world/claims.ts';
import { idl } from './world/idl-instruction.ts';
import { claimBatchCall, createLobby, joinCall, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { associatedTokenAccount, createMint, giveTokens } from './world/tokens.ts';
import {
  type Call,
  createUninitializedWorld,
  createWorld,
  findLobby,
  initializeCall,
  instruction,
  SOL,
  send,
  type World,
} from './world/world.ts';

/** Passes each account that the IDL marks as writable as read-only, one at a time, and lists the outcomes. */
async function outcomesWhenReadOnly(world: World, call: Call): Promise<Record<string, string>> {
  const good = instruction(world, call);
  const listed = idl.instructions.find(({ name }) => name === call.name)?.accounts ?? [];
  const outcomes: Record<string, string> = {};
  for (const [index, { name, writable }] of listed.entries()) {
    const account = good.accounts[index];
    if (!writable || !account || account.address === world.program) continue;
    const role = isSignerRole(account.role) ? AccountRole.READONLY_SIGNER : AccountRole.READONLY;
    const accounts = good.accounts.with(index, { ...account, role });
    // Somebody else pays: the payer of a transaction is writable in all of it.
    outcomes[name] = outcomeOf(await send(world, world.stranger, [{ ...good, accounts }]));
  }
  expectOk(await send(world, world.stranger, [good]));
  return outcomes;
}

async function tokenLobby(world: World): Promise<Lobby> {
  const mint = await createMint(world);
  const lobby = await createLobby(world, { entryFee: 1000n, mint });
  await giveTokens(world, mint, world.player.address, 2000n);
  await giveTokens(world, mint, world.treasury.address, 0n);
  await giveTokens(world, mint, lobby.address, 1000n);
  return lobby;
}

const admin = (world: World, lobby: Address) => ({
  global_config: world.globalConfig,
  lobby_config: lobby,
  super_admin: world.superAdmin,
});

test('initialize_global_config with read-only accounts', async () => {
  const world = await createUninitializedWorld();
  expect(await outcomesWhenReadOnly(world, initializeCall(world))).toEqual({
    global_config: 'PrivilegeEscalation',
    upgrade_authority: 'InvalidAccount',
  });
});

test('create_lobby, edit_lobby_price and remove_lobby with read-only accounts', async () => {
  const world = await createWorld();
  const accounts = admin(world, await findLobby(world, 7n));
  const create = { lobby_id: 7n, entry_fee_amount: 1n, is_sol_lobby: true };
  expect(await outcomesWhenReadOnly(world, { name: 'create_lobby', accounts, args: create })).toEqual({
    lobby_config: 'PrivilegeEscalation',
    super_admin: 'InvalidAccount',
  });
  const price = { entry_fee_amount: 2n };
  expect(await outcomesWhenReadOnly(world, { name: 'edit_lobby_price', accounts, args: price })).toEqual({
    lobby_config: 'InvalidAccount',
  });
  const removal = {
    name: 'remove_lobby',
    accounts: { ...accounts, platform_treasury: world.treasury.address },
    args: { max_surplus_amount: 0n },
  };
  expect(await outcomesWhenReadOnly(world, removal)).toEqual({
    lobby_config: 'InvalidAccount',
    super_admin: 'InvalidAccount',
    platform_treasury: 'InvalidAccount',
  });
});

test('join_lobby with read-only accounts', async () => {
  const world = await createWorld();
  const solLobby = await createLobby(world, { id: 1n, entryFee: SOL });
  const common = { lobby_config: 'InvalidAccount', player: 'InvalidAccount' };
  expect(await outcomesWhenReadOnly(world, await joinCall(world, solLobby, world.player))).toEqual({
    ...common,
    platform_treasury: 'InvalidAccount',
  });
  expect(
    await outcomesWhenReadOnly(world, await joinCall(world, await tokenLobby(world), world.player)),
  ).toEqual({
    ...common,
    platform_treasury: 'ok', // only its token account receives
    player_token_account: 'InvalidAccount',
    treasury_token_account: 'InvalidAccount',
    reward_pool_token_account: 'InvalidAccount',
  });
});

test('claim_reward and claim_multiple_rewards with read-only accounts', async () => {
  const world = await createWorld();
  const solLobby = await createLobby(world, { id: 1n, entryFee: SOL });
  expectOk(
    await send(world, world.player, [instruction(world, await joinCall(world, solLobby, world.player))]),
  );
  const player = world.player.address;
  const fromSol = {
    name: 'claim_reward',
    accounts: { ...admin(world, solLobby.address), player },
    args: { amount: 1n },
  };
  expect(await outcomesWhenReadOnly(world, fromSol)).toEqual({
    lobby_config: 'InvalidAccount',
    player: 'InvalidAccount',
  });

  const lobby = await tokenLobby(world);
  const mint = {
    address: lobby.pool?.token_mint as Address,
    tokenProgram: lobby.pool?.token_program as Address,
  };
  const player_token_account = await associatedTokenAccount(player, mint);
  const accounts = { ...admin(world, lobby.address), player, player_token_account, ...lobby.pool };
  expect(await outcomesWhenReadOnly(world, { name: 'claim_reward', accounts, args: { amount: 1n } })).toEqual(
    {
      lobby_config: 'InvalidAccount',
      player: 'ok', // only its token account receives
      player_token_account: 'InvalidAccount',
      reward_pool_token_account: 'InvalidAccount',
    },
  );
  const batch = await claimBatchCall(world, lobby, [{ wallet: player, amount: 1n }]);
  expect(await outcomesWhenReadOnly(world, batch)).toEqual({
    lobby_config: 'InvalidAccount',
    reward_pool_token_account: 'InvalidAccount',
  });
});

test.each([
  ['set_platform_fee', () => ({}), { platform_fee_basis_points: 1 }],
  ['set_platform_treasury', (world: World) => ({ platform_treasury: world.stranger.address }), undefined],
  ['set_super_admin', (world: World) => ({ new_super_admin: world.stranger }), undefined],
])('%s with read-only accounts', async (name, more, args) => {
  const world = await createWorld();
  const accounts = { global_config: world.globalConfig, super_admin: world.superAdmin, ...more(world) };
  expect(await outcomesWhenReadOnly(world, { name, accounts, ...(args && { args }) })).toEqual({
    global_config: 'InvalidAccount',
  });
});

test('create_claim_counter, set_payout_key and the claims in order with read-only accounts', async () => {
  const world = await createWorld();
  const lobby = await tokenLobby(world);
  expect(await outcomesWhenReadOnly(world, await counterCall(world, lobby))).toEqual({
    lobby_config: 'InvalidAccount',
    super_admin: 'InvalidAccount',
    claim_counter: 'PrivilegeEscalation',
  });
  const payouts = [{ wallet: world.player.address, amount: 1n }];
  expect(await outcomesWhenReadOnly(world, await orderedCall(world, lobby, { number: 0n, payouts }))).toEqual(
    {
      lobby_config: 'InvalidAccount',
      claim_counter: 'InvalidAccount',
      reward_pool_token_account: 'InvalidAccount',
    },
  );

  const limits = { maxClaim: 1n, maxWindow: 1n, windowSlots: 1n };
  const key = world.treasury;
  expect(await outcomesWhenReadOnly(world, await payoutKeyCall(world, lobby, key.address, limits))).toEqual({
    lobby_config: 'InvalidAccount',
    super_admin: 'InvalidAccount',
    payout_key: 'PrivilegeEscalation',
  });
  expect(await outcomesWhenReadOnly(world, await payoutKeyCall(world, lobby, key.address, limits))).toEqual({
    lobby_config: 'InvalidAccount',
    super_admin: 'InvalidAccount',
    payout_key: 'InvalidAccount',
  });
  expect(
    await outcomesWhenReadOnly(world, await byPayoutKeyCall(world, lobby, key, { number: 1n, payouts })),
  ).toEqual({
    lobby_config: 'InvalidAccount',
    payout_key: 'InvalidAccount',
    claim_counter: 'InvalidAccount',
    reward_pool_token_account: 'InvalidAccount',
  });
});
