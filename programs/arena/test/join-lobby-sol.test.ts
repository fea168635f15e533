import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { copyAccount } from './world/forgery.ts';
import { createLobby, join, joinCall, type Lobby, remove } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens, TOKEN_PROGRAM } from './world/tokens.ts';
import {
  balanceOf,
  call,
  createWorld,
  findLobby,
  fundedSigner,
  instruction,
  send,
  type World,
} from './world/world.ts';

let world: World;
let lobby: Lobby;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: 100_000_001n });
});

test('join_lobby splits the entry fee exactly between treasury and pool', async () => {
  const payer = world.stranger; // so that the network fee does not change the player's balance
  const before = [world.player.address, world.treasury.address, lobby.address].map((a) =>
    balanceOf(world, a),
  );
  expectOk(await send(world, payer, [instruction(world, await joinCall(world, lobby, world.player))]));
  const after = [world.player.address, world.treasury.address, lobby.address].map((a) => balanceOf(world, a));
  expect(after.map((lamports, i) => lamports - (before[i] ?? 0n))).toEqual([
    -100_000_001n,
    5_000_000n,
    95_000_001n,
  ]);
});

test('join_lobby can be paid by the treasury itself', async () => {
  const before = balanceOf(world, lobby.address);
  expect(outcomeOf(await join(world, lobby, { player: world.treasury }))).toBe('ok');
  expect(balanceOf(world, lobby.address) - before).toBe(95_000_001n);
});

test('join_lobby can be called twice in one transaction', async () => {
  const before = balanceOf(world, lobby.address);
  const once = instruction(world, await joinCall(world, lobby, world.player));
  expectOk(await send(world, world.player, [once, once]));
  expect(balanceOf(world, lobby.address) - before).toBe(190_000_002n);
});

test('join_lobby ignores extra accounts, such as payment references', async () => {
  const good = instruction(world, await joinCall(world, lobby, world.player));
  const reference = { address: (await generateKeyPairSigner()).address, role: 0 };
  expectOk(await send(world, world.player, [{ ...good, accounts: [...good.accounts, reference] }]));
});

test('join_lobby needs the signature of the player', async () => {
  const unsigned = await joinCall(world, lobby, world.player, lobby.entryFee, {
    player: world.player.address,
  });
  expect(outcomeOf(await call(world, { ...unsigned, payer: world.stranger }))).toBe(
    'MissingRequiredSignature',
  );
});

test('join_lobby refuses any price but that of the lobby', async () => {
  for (const expectedEntryFee of [0n, lobby.entryFee - 1n, lobby.entryFee + 1n, 2n ** 64n - 1n]) {
    expect(outcomeOf(await join(world, lobby, { expectedEntryFee }))).toBe('EntryFeeChanged');
  }
});

test('join_lobby refuses another treasury', async () => {
  for (const thief of [world.player.address, world.stranger.address, lobby.address]) {
    expect(outcomeOf(await join(world, lobby, { changes: { platform_treasury: thief } }))).toBe(
      'IncorrectTreasury',
    );
  }
});

test('join_lobby refuses forged configs', async () => {
  for (const forged of [
    lobby.address,
    await copyAccount(world, world.globalConfig),
    await copyAccount(world, world.globalConfig, { owner: TOKEN_PROGRAM }),
  ]) {
    expect(outcomeOf(await join(world, lobby, { changes: { global_config: forged } }))).toBe(
      'InvalidAccount',
    );
  }
});

test('join_lobby refuses forged lobbies', async () => {
  for (const forged of [
    world.globalConfig,
    world.stranger.address,
    await findLobby(world, 99n),
    await copyAccount(world, lobby.address),
    await copyAccount(world, lobby.address, { owner: TOKEN_PROGRAM }),
  ]) {
    expect(outcomeOf(await join(world, lobby, { changes: { lobby_config: forged } }))).toBe('InvalidAccount');
  }
});

test('join_lobby refuses another program in place of the system program', async () => {
  expect(outcomeOf(await join(world, lobby, { changes: { system_program: TOKEN_PROGRAM } }))).toBe(
    'InvalidAccount',
  );
});

test('join_lobby refuses token accounts in a SOL lobby', async () => {
  const mint = await createMint(world);
  const token = await giveTokens(world, mint, world.player.address, 1n);
  for (const changes of [
    { player_token_account: token },
    { treasury_token_account: token },
    { player_token_account: token, treasury_token_account: token },
    { reward_pool_token_account: token },
    { token_mint: mint.address },
    { token_program: TOKEN_PROGRAM },
  ]) {
    expect(outcomeOf(await join(world, lobby, { changes }))).toBe('IncorrectLobbyType');
  }
});

test('join_lobby changes nothing when the player cannot pay', async () => {
  const poor = await fundedSigner(world.svm, 50_000_000n);
  const before = [world.treasury.address, lobby.address].map((a) => balanceOf(world, a));
  expect(outcomeOf(await join(world, lobby, { player: poor }))).toBe('Custom(1)'); // the system program's
  expect([world.treasury.address, lobby.address].map((a) => balanceOf(world, a))).toEqual(before);
});

test('join_lobby refuses a removed lobby', async () => {
  expectOk(await remove(world, lobby));
  expect(outcomeOf(await join(world, lobby))).toBe('InvalidAccount');
});
