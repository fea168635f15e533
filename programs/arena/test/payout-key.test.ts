import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  batchId,
  byPayoutKeyCall,
  claimInOrder,
  createCounter,
  findCounter,
  findPayoutKey,
  type PayoutLimits,
  payoutKeyCall,
} from './world/claims.ts';
import { setLamports } from './world/forgery.ts';
import { type Changes, createLobby, join, type Lobby, remove } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { NO_ADDRESS, readCounter, readPayoutKey } from './world/state.ts';
import { createMint, giveTokens, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenBalance } from './world/tokens.ts';
import {
  balanceOf,
  call,
  createWorld,
  fundedSigner,
  instruction,
  SOL,
  send,
  type World,
} from './world/world.ts';

const LIMITS: PayoutLimits = { maxClaim: 1_000n, maxWindow: 2_500n, windowSlots: 100n };
const NO_LIMITS: PayoutLimits = { maxClaim: 0n, maxWindow: 0n, windowSlots: 0n };
const U64_MAX = 2n ** 64n - 1n;

let world: World;
let lobby: Lobby;
let wallet: Address;
let key: KeyPairSigner;
let account: Address;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: SOL });
  expectOk(await join(world, lobby));
  await createCounter(world, lobby);
  wallet = (await generateKeyPairSigner()).address;
  setLamports(world, wallet, SOL);
  key = await fundedSigner(world.svm);
  account = await findPayoutKey(world, lobby);
});

const set = async (limits: PayoutLimits = LIMITS, to: Address = key.address, changes: Changes = {}) =>
  outcomeOf(await call(world, await payoutKeyCall(world, lobby, to, limits, changes)));

type Claim = { number?: bigint; amount?: bigint; amounts?: bigint[]; by?: KeyPairSigner; from?: Lobby };

async function claim(
  { number = 0n, amount = 1_000n, by = key, from = lobby }: Claim = {},
  changes: Changes = {},
) {
  const wanted = { number, batch: batchId(9), payouts: [{ wallet, amount }] };
  return outcomeOf(
    await call(world, { ...(await byPayoutKeyCall(world, from, by, wanted, changes)), payer: by }),
  );
}

const passSlots = (slots: bigint) => world.svm.warpToSlot(world.svm.getClock().slot + slots);

describe('set_payout_key', () => {
  test('keeps the key, its limits and who set it', async () => {
    expect(await set()).toBe('ok');
    expect(readPayoutKey(world, account)).toMatchObject({
      lobby_id: lobby.id,
      key: key.address,
      set_by: world.superAdmin.address,
      max_claim: 1_000n,
      max_window: 2_500n,
      window_slots: 100n,
      spent: 0n,
    });
  });

  test('works although somebody sent lamports to the address before', async () => {
    setLamports(world, account, 1n);
    expect(await set()).toBe('ok');
    expect(await claim()).toBe('ok');
  });

  test('is for the super admin: neither a stranger nor the payout key itself can raise a limit', async () => {
    expect(await set()).toBe('ok');
    for (const thief of [world.player, key]) {
      const wanted = await payoutKeyCall(world, lobby, thief.address, LIMITS, { super_admin: thief });
      expect(outcomeOf(await call(world, { ...wanted, payer: thief }))).toBe('Unauthorized');
    }
    const unsigned = { super_admin: world.superAdmin.address };
    const wanted = await payoutKeyCall(world, lobby, key.address, LIMITS, unsigned);
    expect(outcomeOf(await call(world, { ...wanted, payer: key }))).toBe('MissingRequiredSignature');
  });

  test('refuses a key without limits, limits without a key, and a claim above the window', async () => {
    expect(await set(NO_LIMITS)).toBe('InvalidPayoutLimits');
    expect(await set(LIMITS, NO_ADDRESS)).toBe('InvalidPayoutLimits');
    for (const change of [
      { maxClaim: 0n },
      { maxWindow: 0n },
      { windowSlots: 0n },
      { maxClaim: 2_501n },
    ] satisfies Partial<PayoutLimits>[])
      expect(await set({ ...LIMITS, ...change })).toBe('InvalidPayoutLimits');
  });

  test('takes no account of another lobby, of another kind, or of nobody', async () => {
    const other = await createLobby(world, { id: 8n, entryFee: SOL });
    const foreign = await findPayoutKey(world, other);
    expect(await set(LIMITS, key.address, { payout_key: foreign })).toBe('InvalidAccount');
    expect(outcomeOf(await call(world, await payoutKeyCall(world, other, key.address, LIMITS)))).toBe('ok');
    for (const wrong of [foreign, await findCounter(world, lobby), lobby.address, wallet])
      expect(await set(LIMITS, key.address, { payout_key: wrong })).toBe('InvalidAccount');
    expect(await set(LIMITS, key.address, { lobby_config: world.globalConfig })).toBe('InvalidAccount');
    expect(await set(LIMITS, key.address, { system_program: wallet })).toBe('InvalidAccount');
  });

  test('is refused at the address of the treasury, and for a lobby that was removed', async () => {
    setLamports(world, account, SOL);
    const accounts = {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      platform_treasury: account,
    };
    expectOk(await call(world, { name: 'set_platform_treasury', accounts }));
    expect(await set()).toBe('IncorrectTreasury');
    const back = { ...accounts, platform_treasury: world.treasury.address };
    expectOk(await call(world, { name: 'set_platform_treasury', accounts: back }));
    setLamports(world, lobby.address, world.svm.minimumBalanceForRentExemption(98n));
    expectOk(await remove(world, lobby));
    expect(await set()).toBe('InvalidAccount');
  });

  test('does not give back what was spent, whatever is changed', async () => {
    expect(await set()).toBe('ok');
    for (const number of [0n, 1n]) expect(await claim({ number })).toBe('ok');
    const successor = await fundedSigner(world.svm);
    expect(await set(NO_LIMITS, NO_ADDRESS)).toBe('ok');
    expect(await set(LIMITS, successor.address)).toBe('ok');
    expect(await claim({ number: 2n, by: successor, amount: 501n })).toBe('WindowExhausted');
    expect(await claim({ number: 2n, by: successor, amount: 500n })).toBe('ok');
    expect(await set({ ...LIMITS, maxWindow: 2_600n })).toBe('ok');
    expect(await claim({ number: 3n, amount: 101n })).toBe('WindowExhausted');
    expect(await claim({ number: 3n, amount: 100n })).toBe('ok');
    // A limit below what is spent already leaves nothing.
    expect(await set({ ...LIMITS, maxWindow: 1_000n })).toBe('ok');
    expect(await claim({ number: 4n, amount: 1n })).toBe('WindowExhausted');
  });
});

describe('claim_by_payout_key', () => {
  test('pays in order, and counts what it pays', async () => {
    expect(await set()).toBe('ok');
    expect(await claim({ amount: 700n })).toBe('ok');
    expect(balanceOf(world, wallet)).toBe(SOL + 700n);
    const counter = await findCounter(world, lobby);
    expect(readCounter(world, counter)).toMatchObject({ next_number: 1n, last_batch: batchId(9) });
    const { slot } = world.svm.getClock();
    expect(readPayoutKey(world, account)).toMatchObject({ spent: 700n, window_start_slot: slot });
  });

  test('shares the numbers with claims of the super admin, so that a claim is paid once', async () => {
    expect(await set()).toBe('ok');
    const payouts = [{ wallet, amount: 5n }];
    expectOk(await claimInOrder(world, lobby, { number: 0n, payouts }));
    expect(await claim({ number: 0n })).toBe('WrongClaimNumber');
    expect(await claim({ number: 2n })).toBe('WrongClaimNumber');
    expect(await claim({ number: 1n })).toBe('ok');
    expect(outcomeOf(await claimInOrder(world, lobby, { number: 1n, payouts }))).toBe('WrongClaimNumber');
    expect(readPayoutKey(world, account)['spent']).toBe(1_000n);
  });

  test('pays no more than the limit of a claim, in sum over its players', async () => {
    expect(await set()).toBe('ok');
    expect(await claim({ amount: 1_001n })).toBe('ClaimAboveLimit');
    const other = (await generateKeyPairSigner()).address;
    setLamports(world, other, SOL);
    const batch = async (amounts: [bigint, bigint]) => {
      const payouts = [wallet, other].map((to, index) => ({ wallet: to, amount: amounts[index]! }));
      const wanted = await byPayoutKeyCall(world, lobby, key, { number: 0n, payouts });
      return outcomeOf(await call(world, { ...wanted, payer: key }));
    };
    expect(await batch([600n, 401n])).toBe('ClaimAboveLimit');
    expect(await batch([U64_MAX, 2n])).toBe('ArithmeticOverflow');
    expect(await batch([600n, 400n])).toBe('ok');
  });

  test('pays no more than the limit of a window, also within one transaction', async () => {
    expect(await set()).toBe('ok');
    const steps = await Promise.all(
      [0n, 1n, 2n].map(async (number) =>
        instruction(
          world,
          await byPayoutKeyCall(world, lobby, key, { number, payouts: [{ wallet, amount: 900n }] }),
        ),
      ),
    );
    expect(outcomeOf(await send(world, key, steps))).toBe('WindowExhausted');
    expect(balanceOf(world, wallet)).toBe(SOL);
    expect(outcomeOf(await send(world, key, steps.slice(0, 2)))).toBe('ok');
    expect(await claim({ number: 2n, amount: 701n })).toBe('WindowExhausted');
    expect(await claim({ number: 2n, amount: 700n })).toBe('ok');
    expect(readPayoutKey(world, account)['spent']).toBe(2_500n);
  });

  test('begins a window with the first claim after the last one, and never earlier', async () => {
    expect(await set()).toBe('ok');
    const start = world.svm.getClock().slot;
    for (const [number, amount] of [
      [0n, 1_000n],
      [1n, 1_000n],
      [2n, 500n],
    ] as const)
      expect(await claim({ number, amount })).toBe('ok');
    world.svm.warpToSlot(start + 99n);
    expect(await claim({ number: 3n, amount: 1n })).toBe('WindowExhausted');
    world.svm.warpToSlot(start + 100n);
    expect(await claim({ number: 3n })).toBe('ok');
    expect(readPayoutKey(world, account)).toMatchObject({ spent: 1_000n, window_start_slot: start + 100n });
    passSlots(1_000n);
    expect(await claim({ number: 4n })).toBe('ok');
    // Idle windows leave nothing over.
    expect(readPayoutKey(world, account)['spent']).toBe(1_000n);
  });

  test('the largest limits cannot overflow', async () => {
    expect(await set({ maxClaim: U64_MAX, maxWindow: U64_MAX, windowSlots: U64_MAX })).toBe('ok');
    expect(await claim({ amount: U64_MAX })).toBe('InsufficientLobbyBalance');
    expect(await claim({ amount: 900_000_000n })).toBe('ok');
    passSlots(1_000n);
    setLamports(world, lobby.address, balanceOf(world, lobby.address) + SOL);
    expect(await claim({ number: 1n, amount: 1n })).toBe('ok');
  });

  test('is for that key only: not for strangers, the super admin, or without a signature', async () => {
    expect(await set()).toBe('ok');
    expect(await claim({ by: world.player })).toBe('NotPayoutKey');
    expect(await claim({ by: world.superAdmin })).toBe('NotPayoutKey');
    const wanted = { number: 0n, payouts: [{ wallet, amount: 1n }] };
    const unsigned = await byPayoutKeyCall(world, lobby, key, wanted, { payout_signer: key.address });
    expect(outcomeOf(await call(world, { ...unsigned, payer: world.player }))).toBe(
      'MissingRequiredSignature',
    );
  });

  test('stops with the revocation, also for what was signed before', async () => {
    expect(await set()).toBe('ok');
    expect(await set(NO_LIMITS, NO_ADDRESS)).toBe('ok');
    expect(await claim()).toBe('NotPayoutKey');
    expect(readPayoutKey(world, account)).toMatchObject({ key: NO_ADDRESS, max_window: 0n });
  });

  test('stops when the role of super admin is handed over, until the new one sets it', async () => {
    expect(await set()).toBe('ok');
    const accounts = {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      new_super_admin: world.stranger,
    };
    expectOk(await call(world, { name: 'set_super_admin', accounts }));
    expect(await claim()).toBe('NotPayoutKey');
    const again = await payoutKeyCall(world, lobby, key.address, LIMITS, { super_admin: world.stranger });
    expect(outcomeOf(await call(world, { ...again, payer: world.stranger }))).toBe('ok');
    expect(await claim()).toBe('ok');
  });

  test('is limited to its lobby: takes neither key nor counter nor pool of another', async () => {
    expect(await set()).toBe('ok');
    const other = await createLobby(world, { id: 8n, entryFee: SOL });
    expectOk(await join(world, other));
    const counter = await createCounter(world, other);
    expect(await claim({ from: other })).toBe('InvalidAccount');
    expect(await claim({ from: other }, { payout_key: account })).toBe('InvalidAccount');
    expect(await claim({}, { claim_counter: counter })).toBe('InvalidAccount');
    expect(await claim({}, { lobby_config: other.address })).toBe('InvalidAccount');
    for (const wrong of [counter, lobby.address, world.globalConfig, wallet, key.address])
      expect(await claim({}, { payout_key: wrong })).toBe('InvalidAccount');
    expect(await claim({}, { claim_counter: account })).toBe('InvalidAccount');
    expect(await claim({}, { global_config: lobby.address })).toBe('InvalidAccount');
    expect(balanceOf(world, wallet)).toBe(SOL);
    expect(await claim()).toBe('ok');
  });

  test('opens nothing else: every instruction of the super admin refuses the key', async () => {
    expect(await set()).toBe('ok');
    const thief = { super_admin: key };
    const payouts = [{ wallet, amount: 1n }];
    expect(outcomeOf(await claimInOrder(world, lobby, { number: 0n, payouts }, thief, key))).toBe(
      'Unauthorized',
    );
    const accounts = { global_config: world.globalConfig, lobby_config: lobby.address, super_admin: key };
    const calls = [
      { name: 'edit_lobby_price', accounts, args: { entry_fee_amount: 1n } },
      {
        name: 'remove_lobby',
        accounts: { ...accounts, platform_treasury: world.treasury.address },
        args: { max_surplus_amount: U64_MAX },
      },
    ];
    for (const one of calls)
      expect(outcomeOf(await call(world, { ...one, payer: key }))).toBe('Unauthorized');
  });

  test('checks rewards as other batches do, and leaves key and counter alone if it cannot pay', async () => {
    expect(await set({ ...LIMITS, maxClaim: SOL, maxWindow: SOL })).toBe('ok');
    const batch = async (list: Address[], amount: bigint) => {
      const payouts = list.map((to) => ({ wallet: to, amount }));
      const wanted = await byPayoutKeyCall(world, lobby, key, { number: 0n, payouts });
      return outcomeOf(await call(world, { ...wanted, payer: key }));
    };
    expect(await batch([], 1n)).toBe('InvalidBatch');
    expect(await batch([wallet, wallet], 1n)).toBe('DuplicateRecipient');
    expect(await batch([wallet], 0n)).toBe('ZeroReward');
    for (const own of [account, lobby.address, await findCounter(world, lobby)])
      expect(await batch([own], 1n)).toBe('InvalidRecipient');
    expect(await batch([wallet], SOL)).toBe('InsufficientLobbyBalance');
    expect(readPayoutKey(world, account)['spent']).toBe(0n);
    expect(readCounter(world, await findCounter(world, lobby))['next_number']).toBe(0n);
  });

  test('needs a counter and a payout key', async () => {
    expect(await claim()).toBe('InvalidAccount');
    const other = await createLobby(world, { id: 8n, entryFee: SOL });
    expectOk(await join(world, other));
    expectOk(await call(world, await payoutKeyCall(world, other, key.address, LIMITS)));
    expect(await claim({ from: other })).toBe('InvalidAccount');
  });
});

test.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('claim_by_payout_key pays tokens within the limits (%s)', async (_, tokenProgram) => {
  const mint = await createMint(world, { tokenProgram });
  const tokens = await createLobby(world, { id: 9n, entryFee: 1_000n, mint });
  await giveTokens(world, mint, tokens.address, 10_000n);
  const received = await giveTokens(world, mint, wallet, 0n);
  await createCounter(world, tokens);
  expectOk(await call(world, await payoutKeyCall(world, tokens, key.address, LIMITS)));
  expect(await claim({ from: tokens, amount: 1_001n })).toBe('ClaimAboveLimit');
  for (const number of [0n, 1n]) expect(await claim({ from: tokens, number })).toBe('ok');
  expect(await claim({ from: tokens, number: 2n, amount: 501n })).toBe('WindowExhausted');
  expect(tokenBalance(world, received)).toBe(2_000n);
  // The lobby's token account is no wallet's, and the pool of SOL is not reached through it.
  const strange = await claim({ number: 0n }, { payout_key: await findPayoutKey(world, tokens) });
  expect(strange).toBe('InvalidAccount');
});
