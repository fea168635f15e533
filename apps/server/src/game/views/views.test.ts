import { entryId } from '@engulf/domain/ids/entity-ids';
import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import type { ConnectionQuality } from '@engulf/protocol/room/connection-quality';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Connection } from '../connection.ts';
import { createViews, endView, sendViews, startView } from './views.ts';

const logger = pino({ level: 'silent' });
const TICKS = 200;

function openArena() {
  const world = createWorld({ key: numberedKey(1), rules: standardRules });
  const views = createViews(world, (slot) => ({ name: `p${slot}`, colour: 0, reward: '' }), 0);
  const enter = (name: string, quality: ConnectionQuality = 'excellent') => {
    const joined = applyCommand(world, { type: 'join', stake: 1n });
    const decoder = createArenaDecoder();
    const seenTicks: number[] = [];
    const outcomes = new Set<string>();
    const connection = {
      canTakeState: () => true,
      sendState: (_type, bytes) => {
        outcomes.add(decodeUpdate(decoder, bytes));
        seenTicks.push(world.clock.tick);
      },
    } as Partial<Connection> as Connection;
    startView(views, connection, {
      seat: { entryId: entryId(name) },
      player: joined.ok ? joined.player : undefined,
      screen: { widthPx: 1920, heightPx: 1080 },
      latestInput: 0,
      quality,
    });
    return { connection, decoder, seenTicks, outcomes };
  };
  const run = (lateMs: number) => {
    for (let tick = 0; tick < TICKS; tick++) {
      step(world);
      sendViews(views, lateMs, logger);
    }
  };
  return { world, views, enter, run };
}

test('under overload two players are served in turns, and both still see the arena', () => {
  const { world, enter, run } = openArena();
  const [one, two] = [enter('one'), enter('two')];
  run(0);
  expect(one.seenTicks).toHaveLength(TICKS);
  run(30);
  const [late, otherLate] = [one.seenTicks.slice(-50), two.seenTicks.slice(-50)];
  expect(late.every((tick, i) => i === 0 || tick - late[i - 1]! === 2)).toBe(true);
  expect(otherLate.some((tick) => late.includes(tick))).toBe(false);
  for (const { outcomes, decoder } of [one, two]) {
    expect([...outcomes]).toEqual(['applied']);
    expect(world.clock.tick - decoder.view.tick).toBeLessThanOrEqual(1);
  }
});

test('a newcomer in the slot of a player who has left starts with a full snapshot', () => {
  const { views, enter, run } = openArena();
  const first = enter('one');
  run(0);
  endView(views, first.connection);
  endView(views, first.connection);
  expect(views.spareStreams).toHaveLength(1);
  const second = enter('two');
  expect(views.spareStreams).toHaveLength(0);
  run(0);
  expect([...second.outcomes]).toEqual(['applied']);
  expect(second.decoder.view.own).toBeDefined();
  expect(first.seenTicks).toHaveLength(TICKS);
});

test('a poor connection gets fewer updates and a nearer view, and loses track of nothing', () => {
  const { enter, run } = openArena();
  const [fast, slow] = [enter('fast'), enter('slow', 'critical')];
  run(0);
  expect(fast.seenTicks).toHaveLength(TICKS);
  expect(slow.seenTicks).toHaveLength((TICKS * 15) / 25);
  expect([...slow.outcomes]).toEqual(['applied']);
  const reach = ({ decoder }: typeof slow) => {
    const xs = [...decoder.view.food.values()].map(({ x }) => x);
    return Math.max(...xs) - Math.min(...xs);
  };
  expect(reach(slow)).toBeLessThan(reach(fast));
});
