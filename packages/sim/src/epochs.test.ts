import { describe, expect, test } from 'vitest';
import { applyCommand } from './commands.ts';
import { createWorld } from './create-world.ts';
import { epochAt, isEpochOver } from './epochs.ts';
import {
  commitmentOf,
  EPOCHS,
  keysOfRecording,
  keysUpTo,
  lastSecret,
  matchKeyOf,
  numberedKey,
  recogniseSecret,
  secretOf,
  streamKeyOf,
  toHex,
} from './keys.ts';
import { applyRecorded, finishRecording, startRecordedMatch, stepRecorded } from './recording/recorder.ts';
import { replaySegment } from './recording/replay.ts';
import { readSegment, type Segment } from './recording/segment.ts';
import { deriveEpochTicks, type Rules, standardRules } from './rules.ts';
import { hashWorld, loadWorld, saveWorld } from './snapshot.ts';
import { crowdedRules, run } from './testing/arena-builder.ts';
import type { World } from './world.ts';

/** Epochs of fifty ticks, in an arena in which food grows all the time. */
const rules: Rules = { ...crowdedRules, epochs: { seconds: 2 } };
const TICKS = 50;
const block = { slot: 5n, blockhash: numberedKey(2) };
const drawn = lastSecret(numberedKey(1));
const commitment = commitmentOf(secretOf(drawn, 0));
const key = keysUpTo(drawn, block);

const keyOfFood = (world: World) => toHex(world.streams.food.key);
const foodKeyOf = (epoch: number) => toHex(streamKeyOf(key(epoch), 'food'));

describe('the secrets of a match', () => {
  test('follow from those of later epochs, and from no earlier one', () => {
    const known = { secret: secretOf(drawn, 7), epoch: 7 };
    for (const epoch of [0, 3, 7]) expect(secretOf(known, epoch)).toEqual(secretOf(drawn, epoch));
    for (const epoch of [8, EPOCHS, -1, 0.5 - 1, Number.NaN])
      expect(() => secretOf(known, epoch)).toThrow('is not known');
  });

  test('are recognised by the commitment, with the epoch that they are of', () => {
    for (const epoch of [0, 1, 9, EPOCHS - 1]) {
      const secret = secretOf(drawn, epoch);
      expect(recogniseSecret(secret, commitment)).toEqual({ secret, epoch });
    }
    const forged = secretOf(drawn, 4).with(0, secretOf(drawn, 4)[0]! ^ 1);
    expect(recogniseSecret(forged, commitment)).toBeUndefined();
    expect(recogniseSecret(numberedKey(3), commitment)).toBeUndefined();
    expect(() => keysOfRecording({ commitment, publicPart: block }, forged)).toThrow('is not the one');
  });

  test('are what the only secret of an older match was, if there is only one', () => {
    const secret = numberedKey(8);
    const keys = keysOfRecording({ commitment: commitmentOf(secret), publicPart: block }, secret);
    expect(keys(0)).toEqual(matchKeyOf(secret, block));
    expect(() => keys(1)).toThrow('is not known');
  });
});

describe('an epoch', () => {
  test('begins at its tick, with keys of its own, and the positions in the streams go on', () => {
    const world = createWorld({ key, rules });
    const { positions } = world.random;
    run(world, TICKS);
    expect(keyOfFood(world)).toBe(foodKeyOf(0));
    const before = positions[0]!;
    run(world, 1);
    expect(keyOfFood(world)).toBe(foodKeyOf(1));
    expect(positions[0]).toBeGreaterThanOrEqual(before);
    run(world, TICKS);
    expect(keyOfFood(world)).toBe(foodKeyOf(2));
  });

  test('lasts until its last step: what is commanded after that is drawn by its keys', () => {
    const places = [key, (epoch: number) => key(Math.min(epoch, 0))].map((keys) => {
      const world = createWorld({ key: keys, rules });
      run(world, TICKS);
      applyCommand(world, { type: 'join', stake: 1n });
      return [world.players.centreX[0], world.bodies.x[world.players.cells[0]!]];
    });
    expect(places[0]).toEqual(places[1]);
  });

  test('cannot be played without its secret, and all before it can', () => {
    const known = { secret: secretOf(drawn, 1), epoch: 1 };
    const world = createWorld({ key: keysUpTo(known, block), rules });
    run(world, 2 * TICKS);
    expect(() => run(world, 1)).toThrow('the secret of epoch 2 is not known');
  });

  test('is the right one in a world that was saved at, before and after its beginning', () => {
    for (const ticks of [TICKS - 1, TICKS, TICKS + 1, 2 * TICKS]) {
      const world = createWorld({ key, rules });
      run(world, ticks);
      const moved = loadWorld(saveWorld(world), rules, key);
      expect(keyOfFood(moved)).toBe(keyOfFood(world));
      for (const one of [world, moved]) {
        applyCommand(one, { type: 'join', stake: 1n });
        run(one, TICKS);
      }
      expect(hashWorld(moved)).toBe(hashWorld(world));
    }
  });

  test('is the same for ever in a world whose rules know none', () => {
    const world = createWorld({ key: numberedKey(1), rules: { ...rules, epochs: { seconds: 0 } } });
    run(world, 3 * TICKS);
    expect(keyOfFood(world)).toBe(toHex(streamKeyOf(numberedKey(1), 'food')));
  });

  test('of the last secret does not end, and matches of a day do not come to it', () => {
    const last = EPOCHS * TICKS;
    expect(epochAt(rules, last - TICKS)).toBe(EPOCHS - 2);
    for (const tick of [last - TICKS + 1, last, last + 1, 5 * last])
      expect(epochAt(rules, tick)).toBe(EPOCHS - 1);
    expect([last - TICKS, last, 2 * last].map((tick) => isEpochOver(rules, tick))).toEqual([
      true,
      false,
      false,
    ]);
    const day = 25 * 60 * 60 * standardRules.stepsPerSecond;
    expect(epochAt(standardRules, day)).toBeLessThan(EPOCHS - 100);
    expect(deriveEpochTicks(standardRules)).toBe(15_000);
  });
});

describe('a recording', () => {
  const segments: Segment[] = [];
  const match = startRecordedMatch({ key, rules }, (body) => {
    const read = readSegment(body);
    if (!read.ok) throw new Error(read.error.problem);
    segments.push(read.value);
  });
  applyRecorded(match, { type: 'join', stake: 5n });
  for (let tick = 0; tick < 4 * TICKS + 10; tick++) stepRecorded(match);
  finishRecording(match);

  const replay = (keys: (epoch: number) => Uint8Array, shown = segments) => {
    const world = createWorld({ key: keys, rules });
    for (const segment of shown) {
      const difference = replaySegment(world, segment);
      if (difference) return difference;
    }
    return world.clock.tick;
  };

  test('has no segment that goes on into another epoch', () => {
    for (const { startTick, tickCount } of segments)
      expect(epochAt(rules, startTick + tickCount)).toBe(epochAt(rules, startTick + 1));
    expect(replay(key)).toBe(4 * TICKS + 10);
  });

  test('of the epochs whose secrets are known can be played without the others', () => {
    const shown = segments.filter(({ startTick, tickCount }) => startTick + tickCount <= 3 * TICKS);
    expect(replay(keysUpTo({ secret: secretOf(drawn, 2), epoch: 2 }, block), shown)).toBe(3 * TICKS);
  });

  test.each<[string, (epoch: number) => number]>([
    ['early', (epoch) => epoch + 1],
    ['late', (epoch) => Math.max(0, epoch - 1)],
    ['twice', (epoch) => Math.min(1, epoch)],
    ['not at all', () => 0],
  ])('does not fit if secrets changed %s', (_, swapped) => {
    expect(replay((epoch) => key(swapped(epoch)))).toHaveProperty('what');
  });

  test('does not fit another chain from some epoch on', () => {
    const forked = keysUpTo(lastSecret(numberedKey(9)), block);
    const difference = replay((epoch) => (epoch < 2 ? key(epoch) : forked(epoch)));
    expect(difference).toMatchObject({ tick: expect.any(Number) });
    expect((difference as { tick: number }).tick).toBeGreaterThan(2 * TICKS);
  });
});
