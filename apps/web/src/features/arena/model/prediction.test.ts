import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { findPlayer } from '@engulf/sim/players';
import { standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import { describe, expect, test } from 'vitest';
import type { Body } from './bodies.ts';
import { createMotion, recordSample } from './motion.ts';
import { createPrediction, noteInput, reconcile, showPredicted } from './prediction.ts';

const STEP_MS = 40;

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

/**
 * The real arena at one end of a line that takes `rttMs` for the way there and back, the prediction at the
 * other. What is shown at a moment should be where the arena has the cell a round trip later.
 */
function play(rttMs: number, pointerAt: (ms: number) => { x: number; y: number }, ticks: number) {
  const world = createWorld({
    seed: 5,
    rules: { ...standardRules, viruses: { ...standardRules.viruses, count: 0 } },
  });
  const joined = applyCommand(world, { type: 'join', stake: 1n });
  if (!joined.ok || joined.player === undefined) throw new Error('no place');
  const { player } = joined;
  const cell = world.players.cells[findPlayer(world.players, player) * standardRules.maxCellsPerPlayer]!;
  const { x, y, radius } = world.bodies;
  x[cell] = 3500;
  y[cell] = 3500;
  const lateTicks = Math.round(rttMs / STEP_MS);
  const truth: { x: number; y: number; radius: number }[] = [];
  for (let tick = 0; tick < ticks + lateTicks; tick++) {
    const pointer = pointerAt(Math.max(0, tick * STEP_MS - rttMs));
    applyCommand(world, { type: 'steer', player, ...pointer });
    step(world);
    truth.push({ x: x[cell]!, y: y[cell]!, radius: radius[cell]! });
  }

  const prediction = createPrediction();
  const body = ownBody(1);
  const errors: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    const nowMs = tick * STEP_MS;
    const pointer = pointerAt(nowMs);
    noteInput(prediction, pointer.x, pointer.y, nowMs);
    recordSample(body.motion, tick, truth[tick]!.x, truth[tick]!.y, truth[tick]!.radius);
    // The state after tick n is what inputs up to n · 40 − rtt have led to.
    reconcile(prediction, [{ body, ...truth[tick]! }], (tick + 1) * STEP_MS - rttMs, 7000);
    showPredicted(prediction, nowMs + STEP_MS, STEP_MS, 7000);
    const later = truth[tick + lateTicks]!;
    errors.push(Math.hypot(body.x - later.x, body.y - later.y));
  }
  return errors.slice(10);
}

describe('the prediction of the own cell', () => {
  test.each([40, 120, 200])('is where the arena has it a round trip of %i ms later', (rttMs) => {
    const errors = play(rttMs, () => ({ x: 600, y: -250 }), 60);
    expect(Math.max(...errors)).toBeLessThan(4);
  });

  test('follows a pointer that turns, at once', () => {
    const turning = (ms: number) => ({
      x: Math.round(700 * Math.cos(ms / 500)),
      y: Math.round(700 * Math.sin(ms / 500)),
    });
    expect(Math.max(...play(120, turning, 80))).toBeLessThan(12);
  });

  test('stands still when the pointer does', () => {
    expect(Math.max(...play(120, () => ({ x: 0, y: 0 }), 30))).toBeLessThan(0.5);
  });

  test('stays inside the dish', () => {
    const prediction = createPrediction();
    const body = ownBody(1);
    noteInput(prediction, 5000, 0, 0);
    reconcile(prediction, [{ body, x: 6960, y: 3000, radius: 60 }], 0, 7000);
    showPredicted(prediction, 200, 16, 7000);
    expect(body.x).toBe(6970);
  });

  test('an error fades instead of jumping, and a teleport is no error', () => {
    const prediction = createPrediction();
    const body = ownBody(1);
    const known = (x: number, atMs: number) => {
      recordSample(body.motion, atMs, x, 1000, 60);
      reconcile(prediction, [{ body, x, y: 1000, radius: 60 }], atMs, 7000);
    };
    known(1000, 0);
    known(1000, 40);
    showPredicted(prediction, 40, 16, 7000);
    known(1080, 80);
    showPredicted(prediction, 80, 16, 7000);
    expect(body.x).toBeGreaterThan(1005);
    expect(body.x).toBeLessThan(1040);
    showPredicted(prediction, 81, 2_000, 7000);
    expect(body.x).toBeGreaterThan(1079);
    expect(body.x).toBeLessThan(1090);
    known(3000, 120);
    showPredicted(prediction, 120, 16, 7000);
    expect(body.x).toBeGreaterThan(2990);
  });
});
