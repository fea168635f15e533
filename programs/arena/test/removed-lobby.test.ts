import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, test } from 'vitest';
import { setLamports } from './world/forgery.ts';
import { claim, claimBatchCall, createLobby, join, type Lobby, remove, requestLobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  createMint,
  giveTokens,
  type Mint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenBalance,
} from './world/tokens.ts';
import { balanceOf, createWorld, instruction, SOL, send, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

async function giveLamports(lobby: Lobby, amount: bigint): Promise<void> {
  const gift = getTransferSolInstruction({ source: world.stranger, destination: lobby.address, amount });
  expectOk(await send(world, world.stranger, [gift]));
}

describe('the id of a removed lobby', () => {
  test('cannot be used again, for either kind of lobby', async () => {
    const lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await remove(world, lobby));
    expect(outcomeOf(await requestLobby(world, lobby))).toBe('LobbyIdUsed');
    await giveLamports(lobby, SOL);
    expect(outcomeOf(await requestLobby(world, lobby))).toBe('LobbyIdUsed');
    const mint = await createMint(world);
    expect(outcomeOf(await requestLobby(world, lobby, { token_mint: mint.address }))).toBe('LobbyIdUsed');
  });

  test('cannot honour a payout that was signed for the old lobby', async () => {
    const lobby = await createLobby(world, { entryFee: SOL });
    const oldClaim = await claimBatchCall(world, lobby, [{ wallet: world.stranger.address, amount: 1n }]);
    expectOk(await remove(world, lobby));
    await requestLobby(world, lobby);
    await join(world, lobby);
    const outcome = outcomeOf(await send(world, world.superAdmin, [instruction(world, oldClaim)]));
    expect(outcome).toBe('InvalidAccount');
  });
});

describe('remove_lobby on a SOL lobby with a gift in its pool', () => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
    expectOk(await claim(world, lobby, world.player.address, 950_000_000n));
    await giveLamports(lobby, 3n);
  });

  test('is refused unless the gift was expected', async () => {
    expect(outcomeOf(await remove(world, lobby))).toBe('PoolNotEmpty');
    expect(outcomeOf(await remove(world, lobby, { maxSurplus: 2n }))).toBe('PoolNotEmpty');
  });

  test.each([3n, 1000n])(
    'sends it to the treasury when up to %i lamports are expected',
    async (maxSurplus) => {
      const before = balanceOf(world, world.treasury.address);
      expectOk(await remove(world, lobby, { maxSurplus }));
      expect(balanceOf(world, world.treasury.address)).toBe(before + 3n);
    },
  );

  test('leaves a stake that arrived in the meantime alone', async () => {
    expectOk(await join(world, lobby));
    expect(outcomeOf(await remove(world, lobby, { maxSurplus: 1000n }))).toBe('PoolNotEmpty');
  });

  test('pays only the treasury of the config', async () => {
    const changes = { platform_treasury: world.stranger.address };
    expect(outcomeOf(await remove(world, lobby, { changes, maxSurplus: 3n }))).toBe('IncorrectTreasury');
  });

  test('works when the super admin is the treasury', async () => {
    const accounts = {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      platform_treasury: world.superAdmin.address,
    };
    const setTreasury = instruction(world, { name: 'set_platform_treasury', accounts });
    expectOk(await send(world, world.superAdmin, [setTreasury]));
    const total = () => balanceOf(world, world.superAdmin.address) + balanceOf(world, lobby.address);
    const before = total();
    const changes = { platform_treasury: world.superAdmin.address };
    expectOk(await remove(world, lobby, { changes, maxSurplus: 3n }));
    expect(total()).toBe(before - 5000n); // the network fee
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('remove_lobby on a %s lobby with a gift in its pool', (_, tokenProgram) => {
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
    await giveTokens(world, mint, lobby.address, 3n);
  });

  test('is refused unless the gift was expected', async () => {
    await giveTokens(world, mint, world.treasury.address, 0n);
    expect(outcomeOf(await remove(world, lobby, { maxSurplus: 2n }))).toBe('PoolNotEmpty');
  });

  test('sends it to the associated token account of the treasury', async () => {
    const treasury = await giveTokens(world, mint, world.treasury.address, 5n);
    expectOk(await remove(world, lobby, { maxSurplus: 3n }));
    expect(tokenBalance(world, treasury)).toBe(8n);
    expect(balanceOf(world, lobby.pool!.reward_pool_token_account)).toBe(0n);
  });

  test('pays no other token account', async () => {
    const stranger = await giveTokens(world, mint, world.stranger.address, 0n);
    for (const account of [stranger, undefined]) {
      const changes = { treasury_token_account: account };
      expect(outcomeOf(await remove(world, lobby, { changes, maxSurplus: 3n }))).toBe('IncorrectTreasury');
    }
  });

  test('works on a pool that only holds lamports sent to its address', async () => {
    const unborn = await createLobby(world, { id: 8n, entryFee: 1n, mint });
    setLamports(world, unborn.pool!.reward_pool_token_account, SOL);
    expect(outcomeOf(await remove(world, unborn))).toBe('ok');
  });
});
