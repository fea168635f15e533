import { describe, expect, test } from 'vitest';
import { applyCommand } from '../commands.ts';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { findPlayer, isInvulnerable, type PlayerId, playerId } from '../players.ts';
import { freeLobbyRules, rulesOfLobby, standardRules } from '../rules.ts';
import { loadWorld, saveWorld } from '../snapshot.ts';
import { ofType, place, quietRules, run } from '../testing/arena-builder.ts';
import type { World } from '../world.ts';
import { isSheltered, noteCrumb, shelter } from './newcomers.ts';

const KEY = numberedKey(3);
const quiet = { ...quietRules, newcomers: freeLobbyRules.newcomers };

function enter(world: World, isNewcomer = true): PlayerId {
  const joined = applyCommand(world, { type: 'join', stake: 1_000n, isNewcomer });
  if (!joined.ok) throw new Error(joined.refusal);
  return joined.player!;
}

const slotOf = (world: World, player: PlayerId) => findPlayer(world.players, player);

function placeHunter(world: World, x: number, mass: number): number {
  const { players } = world;
  const bot = slotOf(world, place(world, { x, y: 1500, mass }));
  players.isBot[bot] = 1;
  players.botCount++;
  // The next temperament is a hunter's: slot and generation decide.
  while ((bot + players.generation[bot]!) % 3 !== 1) players.generation[bot]!++;
  return bot;
}

describe('a newcomer', () => {
  test('is not hunted by a bot that hunts others, for a minute', () => {
    const deaths = [true, false].map((isNewcomer) => {
      const world = createWorld({ key: KEY, rules: quiet });
      const person = slotOf(world, place(world, { x: 1200, y: 1500, mass: 60 }));
      if (isNewcomer) shelter(world, person);
      placeHunter(world, 1500, 200);
      world.clock.botTarget = 2;
      const victim = playerId(world.players, person);
      return ofType(run(world, 200), 'killed').filter((event) => event.victim === victim).length;
    });
    expect(deaths).toEqual([0, 1]);
  });

  test('has small bots around it, which leave when the minute is over and nobody sees them', () => {
    const world = createWorld({ key: KEY, rules: { ...freeLobbyRules, maxPlayers: 40 } });
    applyCommand(world, { type: 'setPopulation', count: 4 });
    run(world, 200);
    const person = slotOf(world, enter(world));
    const { players, newcomers } = world;
    run(world, 200);
    const companions = [...newcomers.isCompanion].filter((is, slot) => is && players.isAlive[slot]).length;
    expect(companions).toBeGreaterThanOrEqual(1);
    expect(players.livingCount).toBeLessThanOrEqual(4 + freeLobbyRules.newcomers.companions);
    run(world, 60 * 25);
    expect(isSheltered(world, person)).toBe(false);
  });

  test('brings no bots into a lobby without bots', () => {
    const world = createWorld({ key: KEY, rules: freeLobbyRules });
    enter(world);
    run(world, 300);
    expect(world.players.botCount).toBe(0);
  });

  test('is unknown where the rules know none, and the state of such a world is what it was', () => {
    const paid = rulesOfLobby(freeLobbyRules, { isFree: false });
    expect(paid).toEqual(standardRules);
    const world = createWorld({ key: KEY, rules: paid });
    expect(applyCommand(world, { type: 'join', stake: 1n, isNewcomer: true })).toMatchObject({ ok: false });
    expect(world.state.newcomers).toBeUndefined();
    const isProtected = (player: number) => isInvulnerable(world.players, player, world.clock.tick);
    const person = slotOf(world, enter(world, false));
    run(world, 199);
    expect(isProtected(person)).toBe(true);
    run(world, 1);
    expect(isProtected(person)).toBe(false);
  });

  test('is sheltered in a world that was saved and loaded', () => {
    const world = createWorld({ key: KEY, rules: freeLobbyRules });
    const person = enter(world);
    const loaded = loadWorld(saveWorld(world), freeLobbyRules, KEY);
    expect(isSheltered(loaded, slotOf(loaded, person))).toBe(true);
  });
});

describe('protection in a free lobby', () => {
  const protectedSeconds = (eatsAfter: number | undefined, crumbs = 0) => {
    const food = { ...quiet.food, count: crumbs, respawnPerSecond: crumbs };
    const world = createWorld({ key: KEY, rules: { ...quiet, food } });
    const person = slotOf(world, enter(world, false));
    for (let tick = 0; tick < 600; tick++) {
      if (tick === (eatsAfter ?? -1) * 25) noteCrumb(world, person);
      if (!isInvulnerable(world.players, person, world.clock.tick)) return tick / 25;
      run(world, 1);
    }
    return Infinity;
  };

  test.each([
    [undefined, 15],
    [2, 8],
    [11, 11],
  ])('with a first crumb after %s s ends after %s s', (eatsAfter, seconds) => {
    expect(protectedSeconds(eatsAfter)).toBe(seconds);
  });

  test('is as long as elsewhere for somebody who finds food at once', () => {
    expect(protectedSeconds(undefined, 400)).toBe(8);
  });
});
