import { beforeEach, describe, expect, test } from 'vitest';
import { copyAccount } from './world/forgery.ts';
import { createLobby, join, joinCall, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  createMultisig,
  giveTokens,
  type Mint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenBalance,
} from './world/tokens.ts';
import { call, createWorld, type World } from './world/world.ts';

describe.each([
  ['SPL Token', TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM, TOKEN_PROGRAM],
])('join_lobby in a %s lobby', (_, tokenProgram, otherProgram) => {
  let world: World;
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    world = await createWorld();
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1_000_001n, mint });
    await giveTokens(world, mint, world.player.address, 5_000_000n);
    await giveTokens(world, mint, world.treasury.address, 0n);
    await giveTokens(world, mint, lobby.address, 0n);
  });
  const tokensOf = async (owner: Lobby['address']) =>
    tokenBalance(world, await associatedTokenAccount(owner, mint));

  test('splits the entry fee exactly between treasury and pool', async () => {
    expectOk(await join(world, lobby));
    expect(await tokensOf(world.player.address)).toBe(5_000_000n - 1_000_001n);
    expect(await tokensOf(world.treasury.address)).toBe(50_000n);
    expect(await tokensOf(lobby.address)).toBe(950_001n);
  });

  test('needs the signature of the player', async () => {
    const unsigned = await joinCall(world, lobby, world.player, lobby.entryFee, {
      player: world.player.address,
    });
    expect(outcomeOf(await call(world, { ...unsigned, payer: world.stranger }))).toBe(
      'MissingRequiredSignature',
    );
  });

  test('cannot be paid with tokens of another wallet', async () => {
    const victim = await associatedTokenAccount(world.player.address, mint);
    const options = { player: world.stranger, changes: { player_token_account: victim } };
    expect(outcomeOf(await join(world, lobby, options))).toBe('InvalidAccount');
  });

  test('cannot be paid out of the pool', async () => {
    expectOk(await join(world, lobby));
    const changes = { player_token_account: lobby.pool?.reward_pool_token_account };
    expect(outcomeOf(await join(world, lobby, { changes }))).toBe('InvalidAccount');
  });

  test('refuses another pool', async () => {
    const other = await createLobby(world, { id: 8n, entryFee: 1n, mint });
    const pools = [
      await associatedTokenAccount(world.player.address, mint),
      await giveTokens(world, mint, other.address, 0n),
    ];
    for (const pool of pools) {
      const changes = { reward_pool_token_account: pool };
      expect(outcomeOf(await join(world, lobby, { changes }))).toBe('IncorrectRewardPool');
    }
  });

  test('refuses a token account that does not belong to the treasury', async () => {
    const changes = { treasury_token_account: await associatedTokenAccount(world.player.address, mint) };
    expect(outcomeOf(await join(world, lobby, { changes }))).toBe('IncorrectTreasury');
    const treasury = { platform_treasury: world.player.address };
    expect(outcomeOf(await join(world, lobby, { changes: treasury }))).toBe('IncorrectTreasury');
  });

  test('refuses another mint, and token accounts of another mint', async () => {
    const worthless = await createMint(world, { tokenProgram });
    const tokens = await giveTokens(world, worthless, world.player.address, 5_000_000n);
    const treasuryTokens = await giveTokens(world, worthless, world.treasury.address, 0n);
    for (const changes of [
      { token_mint: worthless.address },
      { player_token_account: tokens },
      { treasury_token_account: treasuryTokens },
      { token_mint: worthless.address, player_token_account: tokens, treasury_token_account: treasuryTokens },
    ]) {
      expect(outcomeOf(await join(world, lobby, { changes }))).toBe('IncorrectTokenMint');
    }
  });

  test('refuses the other token program, and a program that only looks like one', async () => {
    for (const program of [otherProgram, world.stranger.address]) {
      expect(outcomeOf(await join(world, lobby, { changes: { token_program: program } }))).toBe(
        'InvalidAccount',
      );
    }
  });

  test('refuses forged token accounts', async () => {
    const tokens = await associatedTokenAccount(world.player.address, mint);
    const copy = await copyAccount(world, tokens, { owner: world.program });
    const multisig = createMultisig(world, 2, tokenProgram);
    for (const name of ['player_token_account', 'treasury_token_account']) {
      for (const forged of [copy, multisig, mint.address]) {
        const changes = { [name]: forged };
        expect(outcomeOf(await join(world, lobby, { changes }))).toBe('InvalidAccount');
      }
    }
  });

  test('refuses to run without any one of the token accounts', async () => {
    for (const name of [
      'player_token_account',
      'treasury_token_account',
      'reward_pool_token_account',
      'token_mint',
      'token_program',
    ]) {
      expect(outcomeOf(await join(world, lobby, { changes: { [name]: undefined } }))).toBe(
        'IncorrectLobbyType',
      );
    }
  });

  test('refuses a pool account that does not exist yet', async () => {
    const fresh = await createLobby(world, { id: 8n, entryFee: 1n, mint });
    expect(outcomeOf(await join(world, fresh))).toBe('InvalidAccount');
  });

  test('changes nothing when the player cannot pay', async () => {
    await giveTokens(world, mint, world.stranger.address, 60_000n); // enough for the fee, not for the stake
    expect(outcomeOf(await join(world, lobby, { player: world.stranger }))).toBe('Custom(1)'); // the token program's
    expect(await tokensOf(world.stranger.address)).toBe(60_000n);
    expect(await tokensOf(world.treasury.address)).toBe(0n);
  });
});
