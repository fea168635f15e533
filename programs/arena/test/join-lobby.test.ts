import { expect, test } from 'vitest';
import { claim, claimBatch, createLobby, join, remove } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens, TOKEN_2022_PROGRAM, tokenBalance } from './world/tokens.ts';
import { balanceOf, createWorld, SOL } from './world/world.ts';

test('sol', async () => {
  const world = await createWorld();
  const lobby = await createLobby(world, { entryFee: SOL });
  const r = expectOk(await join(world, lobby));
  console.log('join', r.computeUnitsConsumed());
  console.log(outcomeOf(await join(world, lobby, { changes: { player: world.player.address } })));
  console.log(outcomeOf(await join(world, lobby, { expectedEntryFee: 1n })));
  const p = await claim(world, lobby, world.stranger.address, 5n);
  console.log('claim', expectOk(p).computeUnitsConsumed());
  console.log('remove', outcomeOf(await remove(world, lobby)));
});
test('token', async () => {
  for (const tokenProgram of [undefined, TOKEN_2022_PROGRAM]) {
    const world = await createWorld();
    const mint = await createMint(world, tokenProgram ? { tokenProgram } : {});
    const lobby = await createLobby(world, { entryFee: 1000n, mint });
    await giveTokens(world, mint, world.player.address, 10_000n);
    await giveTokens(world, mint, world.treasury.address, 0n);
    await giveTokens(world, mint, lobby.address, 0n);
    const r = expectOk(await join(world, lobby));
    console.log('join', r.computeUnitsConsumed());
    const p = await claimBatch(world, lobby, [{ wallet: world.player.address, amount: 950n }]);
    console.log('claim', expectOk(p).computeUnitsConsumed());
    console.log('remove', expectOk(await remove(world, lobby)).computeUnitsConsumed());
  }
});
