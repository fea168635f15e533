import { beforeEach, describe, expect, test } from 'vitest';
import { setLamports } from './world/forgery.ts';
import { claim, createLobby, join, type Lobby, remove, requestLobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import { readLobby } from './world/state.ts';
import { balanceOf, createWorld, findLobby, SOL, type World } from './world/world.ts';

const STAKE = 950_000_000n;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

function scaleRent(numerator: bigint, denominator: bigint): void {
  const rent = world.svm.getRent();
  rent.lamportsPerByteYear = (rent.lamportsPerByteYear * numerator) / denominator;
  world.svm.setRent(rent);
}

const poolOf = (lobby: Lobby) =>
  balanceOf(world, lobby.address) - (readLobby(world, lobby.address)['reserve_lamports'] as bigint);

describe('the pool of a SOL lobby', () => {
  let lobby: Lobby;
  beforeEach(async () => {
    lobby = await createLobby(world, { entryFee: SOL });
    expectOk(await join(world, lobby));
  });

  test.each([
    ['falls to a tenth', 1n, 10n],
    ['rises by half', 3n, 2n],
  ])('stays exact when rent %s', async (_, numerator, denominator) => {
    scaleRent(numerator, denominator);
    expect(poolOf(lobby)).toBe(STAKE);
    expect(outcomeOf(await claim(world, lobby, world.player.address, STAKE + 1n))).toBe(
      'InsufficientLobbyBalance',
    );
    expect(outcomeOf(await claim(world, lobby, world.player.address, STAKE / 2n))).toBe('ok');
    expect(poolOf(lobby)).toBe(STAKE / 2n);
    expectOk(await join(world, lobby));
    expect(poolOf(lobby)).toBe(STAKE / 2n + STAKE);
  });

  test('can be paid out to the last lamport, and the lobby removed, after rent fell', async () => {
    scaleRent(1n, 10n);
    expectOk(await claim(world, lobby, world.player.address, STAKE));
    expect(outcomeOf(await claim(world, lobby, world.player.address, 1n))).toBe('InsufficientLobbyBalance');
    expect(outcomeOf(await remove(world, lobby))).toBe('ok');
  });
});

test('lamports sent to the address of a lobby before it is created are not part of its pool', async () => {
  const address = await findLobby(world, 9n);
  setLamports(world, address, SOL);
  const lobby: Lobby = { id: 9n, address, entryFee: SOL, pool: undefined };
  expectOk(await requestLobby(world, lobby));
  expect(poolOf(lobby)).toBe(0n);
  expect(outcomeOf(await claim(world, lobby, world.player.address, 1n))).toBe('InsufficientLobbyBalance');
  const before = balanceOf(world, world.superAdmin.address);
  expectOk(await remove(world, lobby));
  expect(balanceOf(world, world.superAdmin.address)).toBeGreaterThan(before + SOL / 2n);
});
