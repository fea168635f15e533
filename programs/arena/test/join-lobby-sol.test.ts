import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { copyAccount, setLamports } from './world/forgery.ts';
import { createLobby, join, joinCall, type Lobby, remove, requestLobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens, TOKEN_PROGRAM } from './world/tokens.ts';
import {
  balanceOf,
  call,
  createWorld,
  findLobby,
  fundedSigner,
  instruction,
  SOL,
  send,
  type World,
} from './world/world.ts';

let world: World;
let lobby: Lobby;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: 100_000_001n });
});

test('splits the entry fee between treasury and pool, to the last lamport', async () => {
  const payer = world.stranger; // so that the network fee does not blur the balance of the player
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

test('can be paid by the treasury itself', async () => {
  const before = balanceOf(world, lobby.address);
  expect(outcomeOf(await join(world, lobby, { player: world.treasury }))).toBe('ok');
  expect(balanceOf(world, lobby.address) - before).toBe(95_000_001n);
});

test('can stand twice in one transaction', async () => {
  const before = balanceOf(world, lobby.address);
  const once = instruction(world, await joinCall(world, lobby, world.player));
  expectOk(await send(world, world.player, [once, once]));
  expect(balanceOf(world, lobby.address) - before).toBe(190_000_002n);
});

test('ignores accounts behind its own, as payment references', async () => {
  const good = instruction(world, await joinCall(world, lobby, world.player));
  const reference = { address: (await generateKeyPairSigner()).address, role: 0 };
  expectOk(await send(world, world.player, [{ ...good, accounts: [...good.accounts, reference] }]));
});

test('needs the signature of the player', async () => {
  const unsigned = await joinCall(world, lobby, world.player, lobby.entryFee, {
    player: world.player.address,
  });
  expect(outcomeOf(await call(world, { ...unsigned, payer: world.stranger }))).toBe(
    'MissingRequiredSignature',
  );
});

test('refuses any price but the one of the lobby', async () => {
  for (const expectedEntryFee of [0n, lobby.entryFee - 1n, lobby.entryFee + 1n, 2n ** 64n - 1n]) {
    expect(outcomeOf(await join(world, lobby, { expectedEntryFee }))).toBe('EntryFeeChanged');
  }
});

test('refuses another treasury', async () => {
  for (const thief of [world.player.address, world.stranger.address, lobby.address]) {
    expect(outcomeOf(await join(world, lobby, { changes: { platform_treasury: thief } }))).toBe(
      'IncorrectTreasury',
    );
  }
});

test('refuses forged configs', async () => {
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

test('refuses forged lobbies', async () => {
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

test('refuses another program in the place of the system program', async () => {
  expect(outcomeOf(await join(world, lobby, { changes: { system_program: TOKEN_PROGRAM } }))).toBe(
    'InvalidAccount',
  );
});

test('refuses token accounts: whoever passes one has a token lobby in mind', async () => {
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

test('leaves everything as it was when the player cannot pay', async () => {
  const poor = await fundedSigner(world.svm, 50_000_000n);
  const before = [world.treasury.address, lobby.address].map((a) => balanceOf(world, a));
  expect(outcomeOf(await join(world, lobby, { player: poor }))).toBe('Custom(1)'); // the system program's
  expect([world.treasury.address, lobby.address].map((a) => balanceOf(world, a))).toEqual(before);
});

test('refuses a lobby that was removed, and one that came back at another price', async () => {
  expectOk(await remove(world, lobby));
  expect(outcomeOf(await join(world, lobby))).toBe('InvalidAccount');
  expectOk(await requestLobby(world, { ...lobby, entryFee: 5n }));
  expect(outcomeOf(await join(world, lobby))).toBe('EntryFeeChanged');
});

test('refuses to pay when the treasury turns out to be the lobby', async () => {
  // The treasury is checked when it is set. Set before the lobby exists, its address passes for a wallet.
  const address = await findLobby(world, 8n);
  setLamports(world, address, SOL);
  const accounts = {
    global_config: world.globalConfig,
    super_admin: world.superAdmin,
    platform_treasury: address,
  };
  expectOk(await call(world, { name: 'set_platform_treasury', accounts }));
  const confused = await createLobby(world, { id: 8n, entryFee: SOL });
  const changes = { platform_treasury: address };
  expect(outcomeOf(await join(world, confused, { changes }))).toBe('BalanceMismatch');
});
