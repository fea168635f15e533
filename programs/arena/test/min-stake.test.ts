import { beforeEach, describe, expect, test } from 'vitest';
import { createLobby, join, joinCall, type Lobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { createMint, giveTokens } from './world/tokens.ts';
import { balanceOf, call, createWorld, instruction, send, type World } from './world/world.ts';

const ENTRY_FEE = 1_000_000_019n;
const STAKE = 950_000_019n; // at 500 basis points, the fee rounded down

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

function setFee(basisPoints: number) {
  return call(world, {
    name: 'set_platform_fee',
    accounts: { global_config: world.globalConfig, super_admin: world.superAdmin },
    args: { platform_fee_basis_points: basisPoints },
  });
}

async function solLobby(): Promise<Lobby> {
  return createLobby(world, { entryFee: ENTRY_FEE });
}

async function tokenLobby(): Promise<Lobby> {
  const mint = await createMint(world);
  const lobby = await createLobby(world, { entryFee: ENTRY_FEE, mint });
  await giveTokens(world, mint, world.player.address, ENTRY_FEE * 3n);
  for (const owner of [world.treasury.address, lobby.address]) await giveTokens(world, mint, owner, 0n);
  return lobby;
}

describe.each([
  ['SOL', solLobby],
  ['token', tokenLobby],
])('join_lobby in a %s lobby', (_, open) => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await open();
  });

  test('accepts a least stake up to what reaches the pool', async () => {
    for (const minStake of [0n, STAKE - 1n, STAKE]) {
      expect(outcomeOf(await join(world, lobby, { minStake }))).toBe('ok');
    }
  });

  test('is refused when less would reach the pool', async () => {
    for (const minStake of [STAKE + 1n, ENTRY_FEE, 2n ** 64n - 1n]) {
      expect(outcomeOf(await join(world, lobby, { minStake }))).toBe('StakeTooSmall');
    }
  });

  test('fails and moves nothing when the fee is raised in front of it', async () => {
    const signed = instruction(world, await joinCall(world, lobby, world.player, ENTRY_FEE, {}, STAKE));
    expectOk(await setFee(501));
    const before = balanceOf(world, lobby.address);
    expect(outcomeOf(await send(world, world.player, [signed]))).toBe('StakeTooSmall');
    expect(balanceOf(world, lobby.address)).toBe(before);
  });

  test('goes through when the fee is lowered in front of it', async () => {
    expectOk(await setFee(100));
    expect(outcomeOf(await join(world, lobby, { minStake: STAKE }))).toBe('ok');
  });
});
