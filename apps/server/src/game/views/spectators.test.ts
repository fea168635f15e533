import { userId } from '@engulf/domain/ids/entity-ids';
import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import { PAID_SPECTATOR_DELAY_SECONDS } from '@engulf/protocol/room/server-messages';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { step } from '@engulf/sim/step';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { QUICK_RULES } from '../../../testing/game/arena-server.ts';
import type { Connection } from '../connection.ts';
import { addSpectator, removeSpectator, resyncSpectator } from './spectators.ts';
import { createViews, sendViews, type Views } from './views.ts';

const DELAY_TICKS = PAID_SPECTATOR_DELAY_SECONDS * QUICK_RULES.stepsPerSecond;
const logger = pino({ level: 'silent' });

function open(delaySeconds: number): Views {
  const world = createWorld({ key: numberedKey(1), rules: QUICK_RULES, spill: 0n });
  return createViews(world, () => ({ name: '', colour: 0, reward: '' }), delaySeconds);
}

function run(views: Views, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    step(views.world);
    sendViews(views, 0, logger);
  }
}

function watch(views: Views, name: string) {
  const decoder = createArenaDecoder();
  const seen: { type: string; age: number }[] = [];
  const state = { isReady: true };
  const connection: Connection = {
    send: () => {},
    sendState: (type, bytes) => {
      expect(decodeUpdate(decoder, bytes)).toBe('applied');
      seen.push({ type, age: views.world.clock.tick - decoder.view.tick });
    },
    canTakeState: () => state.isReady,
    address: '',
    kick: () => {},
    expel: () => {},
    close: async () => {},
    refuse: () => {},
    isText: false,
  };
  expect(addSpectator(views.spectators, userId(name), connection, undefined).ok).toBe(true);
  return { connection, seen, state };
}

test('with a delay, spectators see the arena as it was ten seconds ago, from the first snapshot on', () => {
  const views = open(PAID_SPECTATOR_DELAY_SECONDS);
  const first = watch(views, 'anna');
  run(views, DELAY_TICKS / 2);
  const second = watch(views, 'boris');
  run(views, DELAY_TICKS / 2);
  expect(first.seen).toEqual([]);
  run(views, DELAY_TICKS);
  for (const { seen } of [first, second]) {
    expect(seen[0]!.type).toBe('spectatorFullUpdate');
    expect(seen.length).toBeGreaterThan(90);
    for (const { age } of seen) expect(age).toBe(DELAY_TICKS);
  }
});

test('a spectator that lost sync restarts from the next full snapshot; the others miss nothing', () => {
  const views = open(PAID_SPECTATOR_DELAY_SECONDS);
  const [steady, lost, slow] = [watch(views, 'anna'), watch(views, 'boris'), watch(views, 'clara')];
  run(views, DELAY_TICKS + 25);
  resyncSpectator(views.spectators, lost.connection);
  slow.state.isReady = false;
  run(views, 25);
  slow.state.isReady = true;
  const seenBefore = lost.seen.length;
  run(views, 3 * DELAY_TICKS);
  for (const { seen } of [lost, slow]) {
    expect(seen[seenBefore]!.type).toBe('spectatorFullUpdate');
    expect(seen.length).toBeGreaterThan(seenBefore + 90);
  }
  expect(new Set(steady.seen.slice(1).map(({ type }) => type))).toEqual(
    new Set(['spectatorDeltaUpdate', 'spectatorUpdate']),
  );
  expect(steady.seen).toHaveLength(((4 * DELAY_TICKS + 50 - DELAY_TICKS) * 10) / 25);
});

test('delayed updates are discarded when nobody watches', () => {
  const views = open(PAID_SPECTATOR_DELAY_SECONDS);
  const { delayed } = views.spectators;
  const { connection } = watch(views, 'anna');
  run(views, 50);
  expect(delayed.length).toBeGreaterThan(10);
  removeSpectator(views.spectators, connection);
  run(views, 3);
  expect(delayed).toEqual([]);
});

test('without a delay, spectators see the current tick', () => {
  const views = open(0);
  const { seen } = watch(views, 'anna');
  run(views, 50);
  expect(seen.length).toBeGreaterThan(15);
  for (const { age } of seen) expect(age).toBe(0);
});
