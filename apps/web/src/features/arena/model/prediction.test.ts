import { createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { createArenaFrame } from '@engulf/netcode/arena-frame';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { encodeView } from '@engulf/netcode/encode-view';
import { createViewer } from '@engulf/netcode/view';
import { createViewStream } from '@engulf/netcode/view-stream';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer } from '@engulf/sim/players';
import { quantisePointer } from '@engulf/sim/pointer';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import { describe, expect, test } from 'vitest';
import type { Body } from './bodies.ts';
import { createMotion, recordSample } from './motion.ts';
import {
  adoptRules,
  createPrediction,
  noteInput,
  type Prediction,
  reconcile,
  showPredicted,
} from './prediction.ts';

function ownBody(id: number): Body {
  return {
    id,
    kind: 'cell',
    player: undefined,
    colour: 0,
    isOwn: true,
    motion: createMotion(),
    firstTick: 0,
    goneTick: Number.POSITIVE_INFINITY,
    wasEaten: false,
    x: 0,
    y: 0,
    radius: 0,
    shownSinceMs: 0,
    gulpedAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** A prediction that knows the rules from the arena's first message, as a page does. */
function joinedPrediction(world: World): Prediction {
  const frame = createArenaFrame(world, () => ({ name: 'Ada', colour: 0, reward: '' }));
  const decoder = createArenaDecoder();
  expect(decodeUpdate(decoder, encodeView(frame, createViewStream(frame), createViewer()))).toBe('applied');
  const prediction = createPrediction();
  adoptRules(prediction, decoder.view.world!.movement);
  return prediction;
}

const noViruses: Rules = { ...standardRules, viruses: { ...standardRules.viruses, count: 0 } };

type Play = {
  readonly rttMs: number;
  readonly pointerAt: (ms: number) => { x: number; y: number };
  readonly ticks: number;
  readonly rules?: Rules;
};

/**
 * The real arena at one end of a line with a round trip of `rttMs`, the prediction at the other. What is shown
 * at a moment should be where the arena has the cell a round trip later. Returns how far off it was.
 */
function play({ rttMs, ticks, rules = noViruses, ...options }: Play): number[] {
  // As the mouse's position is sent.
  const pointerAt = (atMs: number) => {
    const { x, y } = options.pointerAt(atMs);
    return { x: quantisePointer(x), y: quantisePointer(y) };
  };
  const stepMs = 1000 / rules.stepsPerSecond;
  const world = createWorld({ key: numberedKey(5), rules });
  const joined = applyCommand(world, { type: 'join', stake: 1n });
  if (!joined.ok || joined.player === undefined) throw new Error('The world is full');
  const { player } = joined;
  const cell = world.players.cells[findPlayer(world.players, player) * rules.maxCellsPerPlayer]!;
  const { x, y, radius } = world.bodies;
  x[cell] = rules.worldSize / 2;
  y[cell] = rules.worldSize / 2;
  const prediction = joinedPrediction(world);
  const lateTicks = Math.round(rttMs / stepMs);
  const truth: { x: number; y: number; radius: number }[] = [];
  for (let tick = 0; tick < ticks + lateTicks; tick++) {
    const pointer = pointerAt(Math.max(0, tick * stepMs - rttMs));
    applyCommand(world, { type: 'steer', player, ...pointer });
    step(world);
    truth.push({ x: x[cell]!, y: y[cell]!, radius: radius[cell]! });
  }

  const body = ownBody(1);
  const errors: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    const nowMs = tick * stepMs;
    const pointer = pointerAt(nowMs);
    noteInput(prediction, pointer.x, pointer.y, nowMs);
    recordSample(body.motion, tick, truth[tick]!.x, truth[tick]!.y, truth[tick]!.radius);
    // The state after tick n is the result of the inputs up to n · stepMs − rtt.
    reconcile(prediction, [{ body, ...truth[tick]! }], (tick + 1) * stepMs - rttMs);
    showPredicted(prediction, nowMs + stepMs, stepMs);
    const later = truth[tick + lateTicks]!;
    errors.push(Math.hypot(body.x - later.x, body.y - later.y));
  }
  return errors.slice(10);
}

describe('the predicted own cell', () => {
  test.each([40, 120, 200])('is where the arena has it a round trip of %i ms later', (rttMs) => {
    const errors = play({ rttMs, pointerAt: () => ({ x: 600, y: -250 }), ticks: 60 });
    expect(Math.max(...errors)).toBeLessThan(4);
  });

  test('moves by the rules of the server, to the last digit of a straight run', () => {
    const rules: Rules = {
      ...noViruses,
      stepsPerSecond: 20,
      food: { ...standardRules.food, count: 0 },
      steering: { ...standardRules.steering, speed: 3456.7, radiusExponent: -0.31 },
    };
    const straight = { rttMs: 150, pointerAt: () => ({ x: 900, y: 410 }), ticks: 60 };
    const errors = play({ ...straight, rules });
    expect(Math.max(...errors)).toBeLessThan(1e-6);
  });

  test('follows a turning pointer at once', () => {
    const pointerAt = (ms: number) => ({
      x: Math.round(700 * Math.cos(ms / 500)),
      y: Math.round(700 * Math.sin(ms / 500)),
    });
    expect(Math.max(...play({ rttMs: 120, pointerAt, ticks: 80 }))).toBeLessThan(12);
  });

  test('stands still while the pointer is on it', () => {
    const errors = play({ rttMs: 120, pointerAt: () => ({ x: 0, y: 0 }), ticks: 30 });
    expect(Math.max(...errors)).toBeLessThan(0.5);
  });

  test('stays inside the border', () => {
    const prediction = createPrediction();
    adoptRules(prediction, standardRules);
    const body = ownBody(1);
    noteInput(prediction, 5000, 0, 0);
    reconcile(prediction, [{ body, x: 6960, y: 3000, radius: 60 }], 0);
    showPredicted(prediction, 200, 16);
    expect(body.x).toBe(6970);
  });

  test('is carried on by a launch that fades as in the arena', () => {
    const prediction = createPrediction();
    adoptRules(prediction, standardRules);
    const body = ownBody(1);
    const { decayPerSecond } = standardRules.boost;
    const kept = Math.exp(-decayPerSecond / standardRules.stepsPerSecond);
    reconcile(prediction, [{ body, x: 1000, y: 3000, radius: 60 }], 0);
    reconcile(prediction, [{ body, x: 1080, y: 3000, radius: 60 }], 40);
    recordSample(body.motion, 1, 1080, 3000, 60);
    showPredicted(prediction, 120, 10_000);
    expect(body.x).toBeCloseTo(1080 + 80 * (kept + kept ** 2), 6);
  });

  test('fades an error instead of jumping, but jumps after a teleport', () => {
    const prediction = createPrediction();
    adoptRules(prediction, standardRules);
    const body = ownBody(1);
    const known = (x: number, atMs: number) => {
      recordSample(body.motion, atMs, x, 1000, 60);
      reconcile(prediction, [{ body, x, y: 1000, radius: 60 }], atMs);
    };
    known(1000, 0);
    known(1000, 40);
    showPredicted(prediction, 40, 16);
    known(1080, 80);
    showPredicted(prediction, 80, 16);
    expect(body.x).toBeGreaterThan(1005);
    expect(body.x).toBeLessThan(1040);
    showPredicted(prediction, 81, 2_000);
    expect(body.x).toBeGreaterThan(1079);
    expect(body.x).toBeLessThan(1090);
    known(3000, 120);
    showPredicted(prediction, 120, 16);
    expect(body.x).toBeGreaterThan(2990);
  });
});
