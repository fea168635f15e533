import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyAccount } from './world/forgery.ts';
import { claim, createLobby, editPrice, join, type Lobby, remove, removeCall } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  giveTokens,
  type Mint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './world/tokens.ts';
import { balanceOf, createWorld, instruction, SOL, send, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
const NETWORK_FEE = 5000n;

describe('remove_lobby on a SOL lobby', () => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
  });

  test('closes the lobby and returns its rent to the super admin', async () => {
    const rent = balanceOf(world, lobby.address);
    const before = balanceOf(world, world.superAdmin.address);
    expectOk(await remove(world, lobby));
    const kept = world.svm.minimumBalanceForRentExemption(0n);
    expect(balanceOf(world, lobby.address)).toBe(kept);
    expect(balanceOf(world, world.superAdmin.address)).toBe(before + rent - kept - NETWORK_FEE);
  });

  test('is refused while the pool holds a lamport', async () => {
    expectOk(await join(world, lobby));
    expect(outcomeOf(await remove(world, lobby))).toBe('PoolNotEmpty');
    const pool = balanceOf(world, lobby.address) - world.svm.minimumBalanceForRentExemption(98n);
    expectOk(await claim(world, lobby, world.player.address, pool - 1n));
    expect(outcomeOf(await remove(world, lobby))).toBe('PoolNotEmpty');
    expectOk(await claim(world, lobby, world.player.address, 1n));
    expect(outcomeOf(await remove(world, lobby))).toBe('ok');
  });

  test('makes every later instruction on the lobby fail, including a second removal', async () => {
    expectOk(await remove(world, lobby));
    expect(outcomeOf(await remove(world, lobby))).toBe('InvalidAccount');
    expect(outcomeOf(await join(world, lobby))).toBe('InvalidAccount');
    expect(outcomeOf(await editPrice(world, lobby, 1n))).toBe('InvalidAccount');
    expect(outcomeOf(await claim(world, lobby, world.player.address, 1n))).toBe('InvalidAccount');
  });

  test('leaves no lobby behind even if its rent is paid back in the same transaction', async () => {
    const removal = instruction(world, await removeCall(world, lobby));
    const accounts = {
      global_config: world.globalConfig,
      lobby_config: lobby.address,
      super_admin: world.superAdmin,
    };
    const rent = getTransferSolInstruction({
      source: world.superAdmin,
      destination: lobby.address,
      amount: SOL,
    });
    const edit = instruction(world, { name: 'edit_lobby_price', accounts, args: { entry_fee_amount: 1n } });
    expect(outcomeOf(await send(world, world.superAdmin, [removal, rent, edit]))).toBe('InvalidAccount');
    expectOk(await send(world, world.superAdmin, [removal, rent]));
    expect(outcomeOf(await join(world, lobby))).toBe('InvalidAccount');
  });

  test('refuses token accounts', async () => {
    expect(outcomeOf(await remove(world, lobby, { changes: { token_program: TOKEN_PROGRAM } }))).toBe(
      'IncorrectLobbyType',
    );
  });

  test('is for the super admin only', async () => {
    const thief = { super_admin: world.stranger };
    expect(outcomeOf(await remove(world, lobby, { changes: thief, payer: world.stranger }))).toBe(
      'Unauthorized',
    );
    const unsigned = { super_admin: world.superAdmin.address };
    expect(outcomeOf(await remove(world, lobby, { changes: unsigned, payer: world.stranger }))).toBe(
      'MissingRequiredSignature',
    );
  });

  test('refuses any account but a lobby', async () => {
    for (const forged of [world.globalConfig, await copyAccount(world, lobby.address)]) {
      expect(outcomeOf(await remove(world, lobby, { changes: { lobby_config: forged } }))).toBe(
        'InvalidAccount',
      );
    }
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM, TOKEN_PROGRAM],
])('remove_lobby on a %s lobby', (_, tokenProgram, otherProgram) => {
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
  });

  test('closes the token account too and returns both rents to the super admin', async () => {
    const pool = await giveTokens(world, mint, lobby.address, 0n);
    const rent = balanceOf(world, lobby.address) + balanceOf(world, pool);
    const before = balanceOf(world, world.superAdmin.address);
    expectOk(await remove(world, lobby));
    const kept = world.svm.minimumBalanceForRentExemption(0n);
    expect([lobby.address, pool].map((address) => balanceOf(world, address))).toEqual([kept, 0n]);
    expect(balanceOf(world, world.superAdmin.address)).toBe(before + rent - kept - NETWORK_FEE);
  });

  test('cannot be blocked with lamports, which are not part of the pool', async () => {
    const dust = getTransferSolInstruction({
      source: world.stranger,
      destination: lobby.address,
      amount: 1n,
    });
    expectOk(await send(world, world.stranger, [dust]));
    expect(outcomeOf(await remove(world, lobby))).toBe('ok');
  });

  test('works if nobody ever joined', async () => {
    expect(outcomeOf(await remove(world, lobby))).toBe('ok');
  });

  test('is refused while the pool holds a token', async () => {
    await giveTokens(world, mint, lobby.address, 1n);
    expect(outcomeOf(await remove(world, lobby))).toBe('PoolNotEmpty');
    await giveTokens(world, mint, world.player.address, 0n);
    expectOk(await claim(world, lobby, world.player.address, 1n));
    expect(outcomeOf(await remove(world, lobby))).toBe('ok');
  });

  test('refuses another pool that is empty', async () => {
    await giveTokens(world, mint, lobby.address, 1n);
    const empty = await giveTokens(world, mint, world.superAdmin.address, 0n);
    const unborn = await associatedTokenAccount(world.stranger.address, mint);
    for (const pool of [empty, unborn]) {
      const changes = { reward_pool_token_account: pool };
      expect(outcomeOf(await remove(world, lobby, { changes }))).toBe('IncorrectRewardPool');
    }
    expect(outcomeOf(await remove(world, lobby, { changes: { reward_pool_token_account: undefined } }))).toBe(
      'IncorrectLobbyType',
    );
    expect(outcomeOf(await remove(world, lobby, { changes: { token_program: undefined } }))).toBe(
      'IncorrectLobbyType',
    );
  });

  test('refuses another token program', async () => {
    await giveTokens(world, mint, lobby.address, 0n);
    for (const program of [otherProgram, world.stranger.address]) {
      expect(outcomeOf(await remove(world, lobby, { changes: { token_program: program } }))).toBe(
        'InvalidAccount',
      );
    }
    const unborn = await createLobby(world, { id: 8n, entryFee: 1n, mint });
    const changes = { token_program: world.stranger.address };
    expect(outcomeOf(await remove(world, unborn, { changes }))).toBe('InvalidAccount');
  });
});
