import { AccountRole, type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { setLamports } from './world/forgery.ts';
import { claimBatch, claimBatchCall, createLobby, join, type Lobby, type Payout } from './world/lobby.ts';
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
import { balanceOf, call, createWorld, SOL, type World } from './world/world.ts';

const MAX = 2n ** 64n - 1n;
let world: World;
let wallets: Address[];
beforeEach(async () => {
  world = await createWorld();
  wallets = (await Promise.all(Array.from({ length: 11 }, () => generateKeyPairSigner()))).map(
    ({ address }) => address,
  );
});

const pay = (count: number, amount: (index: number) => bigint): Payout[] =>
  wallets.slice(0, count).map((wallet, index) => ({ wallet, amount: amount(index) }));

describe('claim_multiple_rewards from a SOL lobby', () => {
  let lobby: Lobby;
  let pool: bigint;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
    pool = balanceOf(world, lobby.address) - world.svm.minimumBalanceForRentExemption(98n);
    for (const wallet of wallets) setLamports(world, wallet, SOL);
  });

  test('pays ten players in one transaction', async () => {
    const payouts = pay(10, (index) => 1_000_000n + BigInt(index));
    expectOk(await claimBatch(world, lobby, payouts));
    for (const { wallet, amount } of payouts) expect(balanceOf(world, wallet)).toBe(SOL + amount);
    const paid = payouts.reduce((sum, { amount }) => sum + amount, 0n);
    const rent = world.svm.minimumBalanceForRentExemption(98n);
    expect(balanceOf(world, lobby.address)).toBe(rent + pool - paid);
  });

  test('can empty the pool but not take a lamport more', async () => {
    const tooMuch = pay(2, (index) => (index === 0 ? pool : 1n));
    expect(outcomeOf(await claimBatch(world, lobby, tooMuch))).toBe('InsufficientLobbyBalance');
    expect(balanceOf(world, wallets[0] as Address)).toBe(SOL);
    expectOk(
      await claimBatch(
        world,
        lobby,
        pay(2, (index) => (index === 0 ? pool - 1n : 1n)),
      ),
    );
    expect(balanceOf(world, lobby.address)).toBe(world.svm.minimumBalanceForRentExemption(98n));
  });

  test('refuses a player listed twice, adjacent or not', async () => {
    for (const [first, second] of [
      [0, 1],
      [0, 9],
      [4, 7],
    ] as const) {
      const payouts = pay(10, () => 1n);
      payouts[second] = payouts[first] as Payout;
      expect(outcomeOf(await claimBatch(world, lobby, payouts))).toBe('DuplicateRecipient');
    }
  });

  test('refuses the lobby itself among the players', async () => {
    const payouts = [...pay(1, () => 1n), { wallet: lobby.address, amount: 1n }];
    expect(outcomeOf(await claimBatch(world, lobby, payouts))).toBe('InvalidRecipient');
  });

  test('refuses a player account that is not writable', async () => {
    const good = await claimBatchCall(
      world,
      lobby,
      pay(1, () => 1n),
    );
    const remaining = [{ address: wallets[0] as Address, role: AccountRole.READONLY }];
    expect(outcomeOf(await call(world, { ...good, remaining }))).toBe('InvalidAccount');
  });

  test('refuses amounts whose sum does not fit into 64 bits', async () => {
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(2, () => MAX),
        ),
      ),
    ).toBe('ArithmeticOverflow');
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(2, (index) => (index ? 1n : MAX)),
        ),
      ),
    ).toBe('ArithmeticOverflow');
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(1, () => MAX),
        ),
      ),
    ).toBe('InsufficientLobbyBalance');
  });

  test('refuses token accounts', async () => {
    const mint = await createMint(world);
    const changes = { token_mint: mint.address };
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(1, () => 1n),
          changes,
        ),
      ),
    ).toBe('IncorrectLobbyType');
  });
});

describe('claim_multiple_rewards from any lobby', () => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
    for (const wallet of wallets) setLamports(world, wallet, SOL);
  });

  test('is for the super admin only', async () => {
    const batch = pay(2, () => 1n);
    const thief = { super_admin: world.player };
    expect(outcomeOf(await claimBatch(world, lobby, batch, thief, world.player))).toBe('Unauthorized');
    const unsigned = { super_admin: world.superAdmin.address };
    expect(outcomeOf(await claimBatch(world, lobby, batch, unsigned, world.player))).toBe(
      'MissingRequiredSignature',
    );
  });

  test('accepts one to ten players', async () => {
    expect(outcomeOf(await claimBatch(world, lobby, []))).toBe('InvalidBatch');
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(11, () => 1n),
        ),
      ),
    ).toBe('InvalidBatch');
  });

  test('requires one amount per player', async () => {
    const good = await claimBatchCall(
      world,
      lobby,
      pay(3, () => 1n),
    );
    for (const amounts of [[1n, 1n], [1n, 1n, 1n, 1n], []]) {
      expect(outcomeOf(await call(world, { ...good, args: { amounts } }))).toBe('InvalidBatch');
    }
  });

  test('refuses a reward of zero', async () => {
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(3, (index) => BigInt(index)),
        ),
      ),
    ).toBe('ZeroReward');
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('claim_multiple_rewards from a %s lobby', (_, tokenProgram) => {
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
    await giveTokens(world, mint, lobby.address, 10_000n);
    for (const wallet of wallets) await giveTokens(world, mint, wallet, 0n);
  });
  const tokensOf = async (owner: Address) => tokenBalance(world, await associatedTokenAccount(owner, mint));

  test('pays ten players in one transaction', async () => {
    const payouts = pay(10, (index) => 900n + BigInt(index));
    expectOk(await claimBatch(world, lobby, payouts));
    for (const { wallet, amount } of payouts) expect(await tokensOf(wallet)).toBe(amount);
    expect(await tokensOf(lobby.address)).toBe(10_000n - 9_045n);
  });

  test('pays nobody if the pool holds less than the total', async () => {
    const tooMuch = pay(2, (index) => (index === 0 ? 9_999n : 2n));
    expect(outcomeOf(await claimBatch(world, lobby, tooMuch))).toBe('InsufficientLobbyBalance');
    expect(await tokensOf(wallets[0] as Address)).toBe(0n);
  });

  test('refuses a player listed twice, even with two token accounts', async () => {
    const [first] = pay(1, () => 1n) as [Payout];
    expect(outcomeOf(await claimBatch(world, lobby, [first, first]))).toBe('DuplicateRecipient');
    const elsewhere = { ...first, tokenAccount: await associatedTokenAccount(wallets[1] as Address, mint) };
    expect(outcomeOf(await claimBatch(world, lobby, [first, elsewhere]))).toBe('DuplicateRecipient');
  });

  test('refuses one token account for two players', async () => {
    const payouts = pay(2, () => 1n);
    const tokenAccount = await associatedTokenAccount(wallets[0] as Address, mint);
    const doubled = payouts.map((payout) => ({ ...payout, tokenAccount }));
    expect(outcomeOf(await claimBatch(world, lobby, doubled))).toBe('InvalidRecipient');
  });

  test('refuses to pay the pool into itself', async () => {
    const payouts = [{ wallet: lobby.address, amount: 1n }];
    expect(outcomeOf(await claimBatch(world, lobby, payouts))).toBe('InvalidRecipient');
  });

  test('refuses a token account of another mint, and another pool', async () => {
    const worthless = await createMint(world, { tokenProgram });
    const tokenAccount = await giveTokens(world, worthless, wallets[0] as Address, 0n);
    const payouts = pay(1, () => 1n).map((payout) => ({ ...payout, tokenAccount }));
    expect(outcomeOf(await claimBatch(world, lobby, payouts))).toBe('IncorrectTokenMint');
    const changes = { reward_pool_token_account: await associatedTokenAccount(wallets[1] as Address, mint) };
    expect(
      outcomeOf(
        await claimBatch(
          world,
          lobby,
          pay(1, () => 1n),
          changes,
        ),
      ),
    ).toBe('IncorrectRewardPool');
  });

  test('refuses wallets without their token accounts', async () => {
    const good = await claimBatchCall(
      world,
      lobby,
      pay(2, () => 1n),
    );
    const remaining = wallets.slice(0, 2).map((address) => ({ address, role: AccountRole.WRITABLE }));
    expect(outcomeOf(await call(world, { ...good, remaining }))).toBe('InvalidBatch');
  });
});
