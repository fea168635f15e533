import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { setLamports } from './world/forgery.ts';
import { claim, claimBatch, createLobby, join, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  balanceOf,
  createUninitializedWorld,
  createWorld,
  fundedSigner,
  initialize,
  SOL,
  type World,
} from './world/world.ts';

const NETWORK_FEE = 5000n;
let world: World;
let lobby: Lobby;
let walletRent: bigint;
let emptyWallet: Address;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: SOL });
  expectOk(await join(world, lobby));
  walletRent = world.svm.minimumBalanceForRentExemption(0n);
  emptyWallet = (await generateKeyPairSigner()).address;
});

test('an empty wallet cannot be paid less than its rent', async () => {
  expect(outcomeOf(await claim(world, lobby, emptyWallet, walletRent - 1n))).toBe('InsufficientFundsForRent');
  expect(outcomeOf(await claim(world, lobby, emptyWallet, walletRent))).toBe('ok');
  expect(outcomeOf(await claim(world, lobby, emptyWallet, 1n))).toBe('ok');
});

test('a too small reward to an empty wallet fails the whole batch', async () => {
  const rich = { wallet: world.stranger.address, amount: 1n };
  const before = balanceOf(world, rich.wallet);
  const batch = [rich, { wallet: emptyWallet, amount: walletRent - 1n }];
  expect(outcomeOf(await claimBatch(world, lobby, batch))).toBe('InsufficientFundsForRent');
  expect(balanceOf(world, rich.wallet)).toBe(before);
  expect(outcomeOf(await claimBatch(world, lobby, [rich, { wallet: emptyWallet, amount: walletRent }]))).toBe(
    'ok',
  );
});

test('a joining player must keep nothing or at least the rent', async () => {
  const price = SOL + NETWORK_FEE;
  for (const [left, outcome] of [
    [0n, 'ok'],
    [1n, 'InsufficientFundsForRent'],
    [walletRent - 1n, 'InsufficientFundsForRent'],
    [walletRent, 'ok'],
  ] as const) {
    const player = await fundedSigner(world.svm, price + left);
    expect([left, outcomeOf(await join(world, lobby, { player }))]).toEqual([left, outcome]);
  }
});

test('a treasury that was emptied after it was set cannot receive fees below its rent', async () => {
  const cheap = await createLobby(world, { id: 8n, entryFee: 10_000_000n });
  setLamports(world, world.treasury.address, 0n);
  expect(outcomeOf(await join(world, cheap))).toBe('InsufficientFundsForRent'); // 500,000 lamports
  expect(outcomeOf(await join(world, lobby))).toBe('ok'); // 50,000,000 lamports
});

test('initialize_global_config fails on a cluster whose rent has a threshold (before SIMD-0194)', async () => {
  const old = await createUninitializedWorld();
  const rent = old.svm.getRent();
  rent.lamportsPerByteYear /= 2n;
  rent.exemptionThreshold = 2;
  old.svm.setRent(rent);
  expect(outcomeOf(await initialize(old))).toBe('InsufficientFundsForRent');
});
