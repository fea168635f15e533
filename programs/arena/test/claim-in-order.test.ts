import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  batchId,
  claimInOrder,
  counterCall,
  createCounter,
  findCounter,
  orderedCall,
} from './world/claims.ts';
import { setLamports } from './world/forgery.ts';
import { claimBatch, createLobby, join, type Lobby, remove } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { readCounter } from './world/state.ts';
import { createMint, giveTokens, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenBalance } from './world/tokens.ts';
import {
  balanceOf,
  call,
  createWorld,
  findLobby,
  instruction,
  SOL,
  send,
  type World,
} from './world/world.ts';

let world: World;
let lobby: Lobby;
let wallet: Address;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: SOL });
  expectOk(await join(world, lobby));
  wallet = (await generateKeyPairSigner()).address;
  setLamports(world, wallet, SOL);
});

const payouts = (amount = 1_000n) => [{ wallet, amount }];

describe('create_claim_counter', () => {
  test('starts at zero, without a last batch', async () => {
    const counter = await createCounter(world, lobby);
    expect(readCounter(world, counter)).toMatchObject({
      lobby_id: lobby.id,
      next_number: 0n,
      last_batch: batchId(0),
    });
  });

  test('works although somebody sent lamports to the address before', async () => {
    setLamports(world, await findCounter(world, lobby), 1n);
    await createCounter(world, lobby);
    expectOk(await claimInOrder(world, lobby, { number: 0n, payouts: payouts() }));
  });

  test('is for the super admin, and for an existing lobby with its own address', async () => {
    const thief = await counterCall(world, lobby, { super_admin: world.player });
    expect(outcomeOf(await call(world, { ...thief, payer: world.player }))).toBe('Unauthorized');
    const unsigned = await counterCall(world, lobby, { super_admin: world.superAdmin.address });
    expect(outcomeOf(await call(world, { ...unsigned, payer: world.player }))).toBe(
      'MissingRequiredSignature',
    );
    const other = { claim_counter: await findCounter(world, { id: 8n }) };
    expect(outcomeOf(await call(world, await counterCall(world, lobby, other)))).toBe('InvalidAccount');
    const nowhere = { lobby_config: await findLobby(world, 8n), ...other };
    expect(outcomeOf(await call(world, await counterCall(world, lobby, nowhere)))).toBe('InvalidAccount');
  });

  test('never sets a counter back', async () => {
    const counter = await createCounter(world, lobby);
    expectOk(await claimInOrder(world, lobby, { number: 0n, payouts: payouts() }));
    world.svm.expireBlockhash();
    expect(outcomeOf(await call(world, await counterCall(world, lobby)))).toBe('AccountAlreadyInitialized');
    expect(readCounter(world, counter)['next_number']).toBe(1n);
  });

  test('is refused for a lobby that was removed', async () => {
    setLamports(world, lobby.address, world.svm.minimumBalanceForRentExemption(98n));
    expectOk(await remove(world, lobby));
    expect(outcomeOf(await call(world, await counterCall(world, lobby)))).toBe('InvalidAccount');
  });

  test('is refused at the address of the treasury', async () => {
    const counter = await findCounter(world, lobby);
    setLamports(world, counter, SOL);
    const accounts = {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      platform_treasury: counter,
    };
    expectOk(await call(world, { name: 'set_platform_treasury', accounts }));
    expect(outcomeOf(await call(world, await counterCall(world, lobby)))).toBe('IncorrectTreasury');
  });
});

describe('claim_in_order', () => {
  let counter: Address;
  beforeEach(async () => {
    counter = await createCounter(world, lobby);
  });

  test('pays, and keeps the next number and the id of the batch', async () => {
    expectOk(await claimInOrder(world, lobby, { number: 0n, batch: batchId(7), payouts: payouts() }));
    expect(balanceOf(world, wallet)).toBe(SOL + 1_000n);
    expect(readCounter(world, counter)).toMatchObject({ next_number: 1n, last_batch: batchId(7) });
    expectOk(await claimInOrder(world, lobby, { number: 1n, batch: batchId(8), payouts: payouts(5n) }));
    expect(readCounter(world, counter)).toMatchObject({ next_number: 2n, last_batch: batchId(8) });
    expect(balanceOf(world, wallet)).toBe(SOL + 1_005n);
  });

  test('pays one of all claims that were signed for a number, whichever comes first', async () => {
    expectOk(await claimInOrder(world, lobby, { number: 0n, batch: batchId(2), payouts: payouts() }));
    world.svm.expireBlockhash();
    for (const batch of [batchId(2), batchId(3)]) {
      const again = await claimInOrder(world, lobby, { number: 0n, batch, payouts: payouts() });
      expect(outcomeOf(again)).toBe('WrongClaimNumber');
    }
    expect(balanceOf(world, wallet)).toBe(SOL + 1_000n);
    expect(readCounter(world, counter)).toMatchObject({ next_number: 1n, last_batch: batchId(2) });
  });

  test('pays once if a transaction holds the claim twice', async () => {
    const claim = instruction(world, await orderedCall(world, lobby, { number: 0n, payouts: payouts() }));
    expect(outcomeOf(await send(world, world.superAdmin, [claim, claim]))).toBe('WrongClaimNumber');
    expect(balanceOf(world, wallet)).toBe(SOL);
  });

  test('refuses a number ahead of its time', async () => {
    for (const number of [1n, 2n ** 64n - 1n]) {
      expect(outcomeOf(await claimInOrder(world, lobby, { number, payouts: payouts() }))).toBe(
        'WrongClaimNumber',
      );
    }
  });

  test('leaves the counter alone if it cannot pay', async () => {
    const tooMuch = await claimInOrder(world, lobby, { number: 0n, payouts: payouts(SOL) });
    expect(outcomeOf(tooMuch)).toBe('InsufficientLobbyBalance');
    expect(readCounter(world, counter)['next_number']).toBe(0n);
  });

  test('counts each lobby by itself, and takes no counter of another', async () => {
    const other = await createLobby(world, { id: 8n, entryFee: SOL });
    expectOk(await join(world, other));
    const borrowed = await claimInOrder(
      world,
      other,
      { number: 0n, payouts: payouts() },
      { claim_counter: counter },
    );
    expect(outcomeOf(borrowed)).toBe('InvalidAccount');
    for (const fake of [other.address, world.globalConfig, wallet]) {
      const claim = await claimInOrder(
        world,
        lobby,
        { number: 0n, payouts: payouts() },
        { claim_counter: fake },
      );
      expect(outcomeOf(claim)).toBe('InvalidAccount');
    }
    expectOk(await claimInOrder(world, lobby, { number: 0n, payouts: payouts() }));
    await createCounter(world, other);
    expectOk(await claimInOrder(world, other, { number: 0n, payouts: payouts() }));
  });

  test('is for the super admin only', async () => {
    const thief = { super_admin: world.player };
    const claim = { number: 0n, payouts: payouts() };
    expect(outcomeOf(await claimInOrder(world, lobby, claim, thief, world.player))).toBe('Unauthorized');
    const unsigned = { super_admin: world.superAdmin.address };
    expect(outcomeOf(await claimInOrder(world, lobby, claim, unsigned, world.player))).toBe(
      'MissingRequiredSignature',
    );
  });

  test('checks rewards as a batch without a number does', async () => {
    const claim = (list: (typeof wallet)[], amount: bigint) =>
      claimInOrder(world, lobby, { number: 0n, payouts: list.map((one) => ({ wallet: one, amount })) });
    expect(outcomeOf(await claim([], 1n))).toBe('InvalidBatch');
    expect(outcomeOf(await claim([wallet, wallet], 1n))).toBe('DuplicateRecipient');
    expect(outcomeOf(await claim([wallet], 0n))).toBe('ZeroReward');
    expect(outcomeOf(await claim([counter], 1n))).toBe('InvalidRecipient');
  });

  test('does not move the counter for claims of the other kind', async () => {
    expectOk(await claimBatch(world, lobby, payouts()));
    expect(readCounter(world, counter)['next_number']).toBe(0n);
  });
});

test.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('claim_in_order pays tokens once per number (%s)', async (_, tokenProgram) => {
  const mint = await createMint(world, { tokenProgram });
  const tokens = await createLobby(world, { id: 9n, entryFee: 1_000n, mint });
  await giveTokens(world, mint, tokens.address, 10_000n);
  const account = await giveTokens(world, mint, wallet, 0n);
  await createCounter(world, tokens);
  expectOk(await claimInOrder(world, tokens, { number: 0n, payouts: payouts(700n) }));
  world.svm.expireBlockhash();
  const again = await claimInOrder(world, tokens, { number: 0n, payouts: payouts(700n) });
  expect(outcomeOf(again)).toBe('WrongClaimNumber');
  expect(tokenBalance(world, account)).toBe(700n);
});
