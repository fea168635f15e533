import { matchId } from '@engulf/domain/ids/entity-ids';
import { numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';
import { expect, test } from 'vitest';
import { createTestDeps, QUICK_RULES } from '../../../testing/game/arena-server.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { GameLobby } from '../ports.ts';
import { publishLive, startMatch } from './match.ts';
import { isAsleep } from './sleeping.ts';
import { stepMatch } from './step.ts';

function open(lobby: GameLobby) {
  const deps = createTestDeps([lobby], QUICK_RULES);
  const origin = {
    id: matchId('match'),
    commitment: numberedKey(1),
    publicPart: null,
    secret: numberedKey(2),
    bond: NO_BOND,
  };
  const match = startMatch(deps, { lobby, origin, spill: 0n }, () => {});
  const published = () => {
    publishLive(match);
    return deps.ports.live.get(lobby.id)?.sketch;
  };
  return { match, published };
}

test('an arena that menus show stays awake and is sketched', () => {
  const { match, published } = open({ ...freeLobby(), botCount: 3 });
  const { stepsPerSecond } = match.world.rules;
  for (let tick = 0; tick < ROOM_LIMITS.sleepAfterSeconds * stepsPerSecond; tick++) stepMatch(match, 0);
  expect(isAsleep(match)).toBe(true);
  expect(published()).toBeUndefined();
  match.isShown = true;
  expect(isAsleep(match)).toBe(false);
  const sketch = published()!;
  expect(sketch.length).toBeGreaterThanOrEqual(15);
  expect(sketch.every(Number.isInteger)).toBe(true);
  const radii = sketch.filter((_, index) => index % 5 === 3);
  expect(radii).toEqual(radii.toSorted((a, b) => b - a));
});

test('an arena in which money is at stake is never shown', () => {
  const { match, published } = open(paidLobby());
  match.isShown = true;
  expect(published()).toBeUndefined();
});
