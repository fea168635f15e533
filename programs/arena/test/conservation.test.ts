import type { Address, KeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claim, claimBatch, createLobby, editPrice, joinCall, type Lobby } from './world/lobby.ts';
import { outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  giveTokens,
  TOKEN_2022_PROGRAM,
  tokenBalance,
} from './world/tokens.ts';
import {
  balanceOf,
  call,
  createWorld,
  fundedSigner,
  PLATFORM_FEE_BASIS_POINTS,
  SOL,
  type World,
} from './world/world.ts';

/**
 * Random joins, claims, batches and price changes on a SOL and two token lobbies, compared with a model in bigint. After
 * every step the outcome and all balances must be those of the model, which only moves amounts.
 */
test('lamports and tokens are conserved over random joins, claims and price changes', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const game = await newGame();
      for (const step of steps) {
        expect(outcomeOf(await perform(game, step))).toBe(predict(game, step));
        expect(await observe(game)).toEqual(game.tables.map(({ balances }) => balances));
      }
    }),
    { numRuns: 15 },
  );
});

const PLAYERS = 4;
const anyPlayer = fc.nat(PLAYERS - 1);
const anyTable = fc.nat(2);
/** In thousandths of the pool; some claims ask for more than it holds. */
const anyShare = fc.integer({ min: 0, max: 1100 });

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('join' as const), table: anyTable, player: anyPlayer }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      table: anyTable,
      player: anyPlayer,
      share: anyShare,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      table: anyTable,
      payouts: fc.array(fc.record({ player: anyPlayer, share: fc.integer({ min: 0, max: 500 }) }), {
        maxLength: 5,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      table: anyTable,
      entryFee: fc.bigInt(1n, 3n * SOL),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

type Balances = {
  players: bigint[];
  treasury: bigint;
  pool: bigint;
};

type Table = {
  lobby: Lobby;
  /** Of the lobby, and of a wallet. None where tokens are counted. */
  rent: { lobby: bigint; wallet: bigint };
  balances: Balances;
};

type Game = {
  world: World;
  players: KeyPairSigner[];
  tables: Table[];
};

async function newGame(): Promise<Game> {
  const world = await createWorld();
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, () => fundedSigner(world.svm, 20n * SOL)),
  );
  const mints = [
    undefined,
    await createMint(world),
    await createMint(world, { tokenProgram: TOKEN_2022_PROGRAM }),
  ];
  const tables: Game['tables'] = [];
  for (const [index, mint] of mints.entries()) {
    const entryFee = 1_000_003n;
    const lobby = await createLobby(world, { id: BigInt(index), entryFee, ...(mint && { mint }) });
    if (mint) {
      for (const { address } of players) await giveTokens(world, mint, address, 20n * SOL);
      for (const owner of [world.treasury.address, lobby.address]) await giveTokens(world, mint, owner, 0n);
    }
    const treasury = mint ? 0n : balanceOf(world, world.treasury.address);
    const walletRent = world.svm.minimumBalanceForRentExemption(0n);
    const rent = mint
      ? { lobby: 0n, wallet: 0n }
      : { lobby: balanceOf(world, lobby.address), wallet: walletRent };
    tables.push({ lobby, rent, balances: { players: players.map(() => 20n * SOL), treasury, pool: 0n } });
  }
  return { world, players, tables };
}

/** Somebody outside the game pays the network fees, so that they do not change the balances. */
async function perform({ world, players, tables }: Game, step: Step) {
  const { lobby, balances } = at(tables, step.table);
  const payer = world.upgradeAuthority;
  switch (step.kind) {
    case 'join':
      return call(world, { payer, ...(await joinCall(world, lobby, at(players, step.player))) });
    case 'claim':
      return claim(
        world,
        lobby,
        at(players, step.player).address,
        shareOf(balances.pool, step.share),
        {},
        payer,
      );
    case 'batch': {
      const payouts = step.payouts.map(({ player, share }) => ({
        wallet: at(players, player).address,
        amount: shareOf(balances.pool, share),
      }));
      return claimBatch(world, lobby, payouts, {}, payer);
    }
    case 'price':
      return editPrice(world, lobby, step.entryFee, {}, payer);
  }
}

function predict({ tables }: Game, step: Step): string {
  const table = at(tables, step.table);
  switch (step.kind) {
    case 'join':
      return predictJoin(table, step.player);
    case 'claim':
      return predictPayouts(table, [step]);
    case 'batch':
      if (step.payouts.length === 0) return 'InvalidBatch';
      if (new Set(step.payouts.map(({ player }) => player)).size < step.payouts.length)
        return 'DuplicateRecipient';
      return predictPayouts(table, step.payouts);
    case 'price':
      table.lobby.entryFee = step.entryFee;
      return 'ok';
  }
}

function predictJoin(table: Table, player: number): string {
  const { lobby, balances } = table;
  if (at(balances.players, player) < lobby.entryFee) return 'Custom(1)'; // of the system and of both token programs
  const platformFee = (lobby.entryFee * BigInt(PLATFORM_FEE_BASIS_POINTS)) / 10_000n;
  return settle(table, {
    players: balances.players.with(player, at(balances.players, player) - lobby.entryFee),
    treasury: balances.treasury + platformFee,
    pool: balances.pool + lobby.entryFee - platformFee,
  });
}

function predictPayouts(table: Table, payouts: { player: number; share: number }[]): string {
  const { balances } = table;
  const amounts = payouts.map(({ share }) => shareOf(balances.pool, share));
  if (amounts.includes(0n)) return 'ZeroReward';
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  if (total > balances.pool) return 'InsufficientLobbyBalance';
  const players = [...balances.players];
  for (const [index, { player }] of payouts.entries())
    players[player] = at(players, player) + at(amounts, index);
  return settle(table, { ...balances, players, pool: balances.pool - total });
}

/** The runtime refuses to leave a wallet with less than its rent, unless it is left with nothing. */
function settle(table: Table, after: Balances): string {
  const isBelowRent = (lamports: bigint) => lamports > 0n && lamports < table.rent.wallet;
  if (after.players.some(isBelowRent)) return 'InsufficientFundsForRent';
  table.balances = after;
  return 'ok';
}

function observe({ world, players, tables }: Game): Promise<Balances[]> {
  return Promise.all(
    tables.map(async ({ lobby, rent }) => {
      const mint = lobby.pool && { address: lobby.pool.token_mint, tokenProgram: lobby.pool.token_program };
      const balance = async (owner: Address) =>
        mint ? tokenBalance(world, await associatedTokenAccount(owner, mint)) : balanceOf(world, owner);
      return {
        players: await Promise.all(players.map(({ address }) => balance(address))),
        treasury: await balance(world.treasury.address),
        pool: (await balance(lobby.address)) - rent.lobby,
      };
    }),
  );
}

const shareOf = (pool: bigint, thousandths: number): bigint => (pool * BigInt(thousandths)) / 1000n;

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
}
