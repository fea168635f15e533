import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchAccount } from './world/forgery.ts';
import { createLobby, join } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens, tokenBalance } from './world/tokens.ts';
import { createWorld } from './world/world.ts';

const MAX = 2n ** 64n - 1n;
const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
const u16 = (value: number) => new Uint8Array(new Uint16Array([value]).buffer);

/** With tokens, because their amounts can reach the u64 limit and lamports on a real chain cannot. */
async function tokenLobby() {
  const world = await createWorld();
  const mint = await createMint(world);
  const lobby = await createLobby(world, { entryFee: 1n, mint });
  const player = await giveTokens(world, mint, world.player.address, 0n);
  const treasury = await giveTokens(world, mint, world.treasury.address, 0n);
  const pool = await giveTokens(world, mint, lobby.address, 0n);
  const setUp = (entryFee: bigint, basisPoints: number, poolAmount = 0n) => {
    patchAccount(world, world.globalConfig, 72, u16(basisPoints));
    patchAccount(world, lobby.address, 48, u64(entryFee));
    patchAccount(world, player, 64, u64(entryFee));
    patchAccount(world, treasury, 64, u64(0n));
    patchAccount(world, pool, 64, u64(poolAmount));
  };
  return { world, lobby, player, treasury, pool, setUp };
}

test('the bytecode splits every entry fee like bigint', async () => {
  const { world, lobby, player, treasury, pool, setUp } = await tokenLobby();
  const anyFee = fc.oneof(fc.bigInt(1n, MAX), fc.bigInt(1n, 30_000n), fc.bigInt(MAX - 30_000n, MAX));
  const anyBasisPoints = fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.constantFrom(0, 1, 500, 9_999, 10_000),
  );
  await fc.assert(
    fc.asyncProperty(anyFee, anyBasisPoints, async (entryFee, basisPoints) => {
      setUp(entryFee, basisPoints);
      expectOk(await join(world, lobby, { expectedEntryFee: entryFee }));
      const platformFee = (entryFee * BigInt(basisPoints)) / 10_000n;
      expect(tokenBalance(world, treasury)).toBe(platformFee);
      expect(tokenBalance(world, pool)).toBe(entryFee - platformFee);
      expect(tokenBalance(world, player)).toBe(0n);
    }),
    { numRuns: 400 },
  );
});

test('a join that would overflow the pool is refused', async () => {
  const { world, lobby, setUp } = await tokenLobby();
  setUp(MAX, 0, 1n);
  // The token program relies on the supply limit and adds unchecked; the join's own check catches it.
  expect(outcomeOf(await join(world, lobby, { expectedEntryFee: MAX }))).toBe('BalanceMismatch');
});

test('a join is refused if the stored fee exceeds 10000 basis points', async () => {
  const { world, lobby, setUp } = await tokenLobby();
  setUp(1000n, 10_001);
  expect(outcomeOf(await join(world, lobby, { expectedEntryFee: 1000n }))).toBe('InvalidFeePercentage');
});
