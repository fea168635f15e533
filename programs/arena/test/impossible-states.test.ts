import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeOwner, patchAccount } from './world/forgery.ts';
import { claim, createLobby, join, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './world/tokens.ts';
import { createWorld, SOL, type World } from './world/world.ts';

/**
 * Accounts at the right addresses in states that no transaction can produce. Each check must still hold on its own, so
 * that a mistake in one is not fatal.
 */
let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('corrupted accounts of a SOL lobby', () => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
  });
  const outcomes = async () => [
    outcomeOf(await join(world, lobby)),
    outcomeOf(await claim(world, lobby, world.player.address, 1n)),
  ];
  const configs: [string, () => Address][] = [
    ['global config', () => world.globalConfig],
    ['lobby', () => lobby.address],
  ];

  test.each(configs)('a %s of another owner is refused', async (_, account) => {
    changeOwner(world, account(), TOKEN_PROGRAM);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });

  test.each(configs)('a %s with another discriminator is refused', async (_, account) => {
    patchAccount(world, account(), 7, [0]);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });

  test('a lobby with the id of another one is refused', async () => {
    patchAccount(world, lobby.address, 8, [8]);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM, TOKEN_PROGRAM],
])('corrupted accounts of a %s lobby', (_, tokenProgram, otherProgram) => {
  let lobby: Lobby;
  let pool: Address;
  beforeEach(async () => {
    const mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
    for (const owner of [world.player.address, world.treasury.address])
      await giveTokens(world, mint, owner, 5000n);
    pool = await giveTokens(world, mint, lobby.address, 5000n);
  });
  const outcomes = async () => [
    outcomeOf(await join(world, lobby)),
    outcomeOf(await claim(world, lobby, world.player.address, 1n)),
  ];

  test('a pool of another owner is refused', async () => {
    changeOwner(world, pool, world.program);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });

  test('a pool that was not initialized is refused', async () => {
    patchAccount(world, pool, 108, [0]);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });

  test('a mint of another owner is refused', async () => {
    changeOwner(world, lobby.pool?.token_mint as Address, world.program);
    expect(await outcomes()).toEqual(['IncorrectTokenMint', 'IncorrectTokenMint']);
  });

  test('a mint that moved to the other token program is refused', async () => {
    changeOwner(world, lobby.pool?.token_mint as Address, otherProgram);
    expect(await outcomes()).toEqual(['InvalidAccount', 'InvalidAccount']);
  });

  test('a mint that was not initialized is refused', async () => {
    patchAccount(world, lobby.pool?.token_mint as Address, 45, [0]);
    expect(await outcomes()).toEqual(['IncorrectTokenMint', 'IncorrectTokenMint']);
  });
});
