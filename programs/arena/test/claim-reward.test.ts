import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyAccount, setLamports } from './world/forgery.ts';
import { claim, createLobby, join, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  giveTokens,
  type Mint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenBalance,
} from './world/tokens.ts';
import { balanceOf, createWorld, SOL, type World } from './world/world.ts';

const MAX = 2n ** 64n - 1n;
let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('claim_reward from a SOL lobby', () => {
  let lobby: Lobby;
  let pool: bigint;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
    pool = balanceOf(world, lobby.address) - world.svm.minimumBalanceForRentExemption(98n);
  });

  test('pays the exact amount and leaves the rent', async () => {
    const before = balanceOf(world, world.stranger.address);
    expectOk(await claim(world, lobby, world.stranger.address, 1n));
    expectOk(await claim(world, lobby, world.stranger.address, pool - 1n));
    expect(balanceOf(world, world.stranger.address) - before).toBe(pool);
    expect(balanceOf(world, lobby.address)).toBe(world.svm.minimumBalanceForRentExemption(98n));
  });

  test('never touches the rent', async () => {
    for (const amount of [pool + 1n, balanceOf(world, lobby.address), MAX]) {
      expect(outcomeOf(await claim(world, lobby, world.stranger.address, amount))).toBe(
        'InsufficientLobbyBalance',
      );
    }
    expectOk(await claim(world, lobby, world.stranger.address, pool));
    expect(outcomeOf(await claim(world, lobby, world.stranger.address, 1n))).toBe('InsufficientLobbyBalance');
  });

  test('pays nothing when the rent rose above the lamports of the lobby', async () => {
    setLamports(world, lobby.address, world.svm.minimumBalanceForRentExemption(98n) - 1n);
    expect(outcomeOf(await claim(world, lobby, world.stranger.address, 1n))).toBe('InsufficientLobbyBalance');
  });

  test('refuses a reward of zero', async () => {
    expect(outcomeOf(await claim(world, lobby, world.player.address, 0n))).toBe('ZeroReward');
  });

  test('refuses to pay an account of the program: the lobby, another lobby, the global config', async () => {
    const other = await createLobby(world, { id: 8n, entryFee: SOL });
    for (const account of [lobby.address, other.address, world.globalConfig]) {
      expect(outcomeOf(await claim(world, lobby, account, 1n))).toBe('InvalidRecipient');
    }
  });

  test('refuses token accounts', async () => {
    const mint = await createMint(world);
    const token = await giveTokens(world, mint, world.player.address, 1n);
    for (const changes of [
      { player_token_account: token },
      { reward_pool_token_account: token },
      { token_mint: mint.address },
      { token_program: TOKEN_PROGRAM },
    ]) {
      expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe(
        'IncorrectLobbyType',
      );
    }
  });
});

test('claim_reward is for the super admin only', async () => {
  const lobby = await createLobby(world, { entryFee: SOL });
  expectOk(await join(world, lobby));
  for (const thief of [world.player, world.treasury, world.upgradeAuthority]) {
    const changes = { super_admin: thief };
    expect(outcomeOf(await claim(world, lobby, thief.address, 1n, changes, thief))).toBe('Unauthorized');
  }
  const unsigned = { super_admin: world.superAdmin.address };
  expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, unsigned, world.player))).toBe(
    'MissingRequiredSignature',
  );
});

test('claim_reward refuses forged configs and lobbies', async () => {
  const lobby = await createLobby(world, { entryFee: SOL });
  expectOk(await join(world, lobby));
  const to = world.player.address;
  for (const [name, original] of [
    ['global_config', world.globalConfig],
    ['lobby_config', lobby.address],
  ] as const) {
    for (const forged of [
      name === 'global_config' ? lobby.address : world.globalConfig,
      world.stranger.address,
      await copyAccount(world, original),
      await copyAccount(world, original, { owner: TOKEN_PROGRAM }),
    ]) {
      expect(outcomeOf(await claim(world, lobby, to, 1n, { [name]: forged }))).toBe('InvalidAccount');
    }
  }
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM, TOKEN_PROGRAM],
])('claim_reward from a %s lobby', (_, tokenProgram, otherProgram) => {
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
    await giveTokens(world, mint, lobby.address, 950n);
    await giveTokens(world, mint, world.player.address, 0n);
  });

  test('pays the exact amount', async () => {
    expectOk(await claim(world, lobby, world.player.address, 1n));
    expectOk(await claim(world, lobby, world.player.address, 949n));
    expect(tokenBalance(world, await associatedTokenAccount(world.player.address, mint))).toBe(950n);
    expect(tokenBalance(world, await associatedTokenAccount(lobby.address, mint))).toBe(0n);
  });

  test('refuses more than the pool holds, and zero', async () => {
    for (const amount of [951n, MAX]) {
      expect(outcomeOf(await claim(world, lobby, world.player.address, amount))).toBe(
        'InsufficientLobbyBalance',
      );
    }
    expect(outcomeOf(await claim(world, lobby, world.player.address, 0n))).toBe('ZeroReward');
  });

  test('refuses a token account that does not belong to the player', async () => {
    const changes = { player_token_account: await giveTokens(world, mint, world.stranger.address, 0n) };
    expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe('InvalidRecipient');
  });

  test('refuses to pay the pool into itself', async () => {
    expect(outcomeOf(await claim(world, lobby, lobby.address, 1n))).toBe('InvalidRecipient');
    const changes = { player_token_account: lobby.pool?.reward_pool_token_account };
    expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe('InvalidRecipient');
  });

  test('refuses the pool of another lobby', async () => {
    const other = await createLobby(world, { id: 8n, entryFee: 1n, mint });
    await giveTokens(world, mint, other.address, 100n);
    const changes = { reward_pool_token_account: other.pool?.reward_pool_token_account };
    expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe(
      'IncorrectRewardPool',
    );
  });

  test('refuses another mint, and an account of another mint', async () => {
    const worthless = await createMint(world, { tokenProgram });
    const tokens = await giveTokens(world, worthless, world.player.address, 0n);
    for (const changes of [{ token_mint: worthless.address }, { player_token_account: tokens }]) {
      expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe(
        'IncorrectTokenMint',
      );
    }
  });

  test('refuses the other token program, and accounts it does not own', async () => {
    const tokens = await associatedTokenAccount(world.player.address, mint);
    const missing = (await generateKeyPairSigner()).address;
    for (const changes of [
      { token_program: otherProgram },
      { player_token_account: await copyAccount(world, tokens, { owner: otherProgram }) },
      { player_token_account: mint.address },
      { player_token_account: missing },
    ]) {
      expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe('InvalidAccount');
    }
  });

  test('refuses to run without any one of the token accounts', async () => {
    for (const name of ['player_token_account', 'reward_pool_token_account', 'token_mint', 'token_program']) {
      const changes = { [name]: undefined };
      expect(outcomeOf(await claim(world, lobby, world.player.address, 1n, changes))).toBe(
        'IncorrectLobbyType',
      );
    }
  });
});
