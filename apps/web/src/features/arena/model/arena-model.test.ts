import { captureFrame, createArenaFrame } from '@engulf/netcode/arena-frame';
import { encodeView } from '@engulf/netcode/encode-view';
import { aimAtPlayer, createViewer } from '@engulf/netcode/view';
import { createViewStream, requestFull } from '@engulf/netcode/view-stream';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { findPlayer } from '@engulf/sim/players';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import { describe, expect, test, vi } from 'vitest';
import type { ArenaEvent } from '../net/events.ts';
import { createArenaModel } from './arena-model.ts';
import type { Body } from './bodies.ts';
import { followPlayer, resizeCamera } from './camera.ts';
import type { Frame } from './frame.ts';

const STEP_MS = 40;
const screen = { widthPx: 1920, heightPx: 1080 };

/** A real arena with bots and one player, and the model of the player's screen. */
function startMatch({ seed = 3, maxGulps = 100, rules = standardRules as Rules } = {}) {
  const world = createWorld({ seed, rules });
  applyCommand(world, { type: 'setPopulation', count: 60 });
  for (let tick = 0; tick < 1000; tick++) step(world);
  const joined = applyCommand(world, { type: 'join', stake: 1_000_000n });
  if (!joined.ok || joined.player === undefined) throw new Error('no place');
  const { player } = joined;
  const slot = findPlayer(world.players, player);
  step(world);
  const source = createArenaFrame(world, (each) => ({
    name: `p${each}`,
    colour: each % 12,
    reward: '1.000(x1.00)',
  }));
  const stream = createViewStream(source);
  const viewer = createViewer();
  const publish = vi.fn<(event: ArenaEvent) => void>();
  const model = createArenaModel(publish);
  resizeCamera(model.camera, screen.widthPx, screen.heightPx);
  let nowMs = 1_000;
  const follow = ({ own, elapsedMs }: Frame) => {
    if (own) followPlayer(model.camera, own, nowMs, elapsedMs);
  };

  /** One step of the arena, and the frames that a screen draws meanwhile. */
  function advance(deliver: (bytes: Uint8Array) => void = (bytes) => model.receive(bytes, nowMs)): Frame {
    step(world);
    captureFrame(source);
    if (world.players.isAlive[slot] === 1) aimAtPlayer(viewer, world, slot, screen, 2000);
    deliver(encodeView(source, stream, viewer));
    for (let frame = 0; frame < 2; frame++) {
      nowMs += STEP_MS / 2;
      model.advance(nowMs, maxGulps, follow);
    }
    return model.frame;
  }

  /** Sends the pointer over a line that takes no time. */
  function steer(x: number, y: number): void {
    model.point(x, y, nowMs);
    viewer.acknowledged = model.send('steer', nowMs);
    applyCommand(world, { type: 'steer', player, x, y });
  }

  /** Presses a key; the room hears of it if `isHeard`. */
  function press(type: 'split' | 'eject', isHeard: boolean): void {
    const number = model.send(type, nowMs);
    if (isHeard) applyCommand(world, { type, player });
    viewer.acknowledged = number;
  }

  /** Draws another frame of the same screen, without news. */
  function drawFrame(): Frame {
    nowMs += 5;
    return model.advance(nowMs, maxGulps, follow);
  }

  const published = (type: ArenaEvent['type']) =>
    publish.mock.calls.map(([event]) => event).filter((event) => event.type === type);

  return { world, slot, player, model, stream, advance, steer, press, drawFrame, published };
}

function run(match: ReturnType<typeof startMatch>, ticks: number): Frame {
  for (let tick = 0; tick < ticks; tick++) match.advance();
  return match.model.frame;
}

describe('the arena model', () => {
  test('shows the own player ahead of the room and everybody else behind it', () => {
    const match = startMatch();
    match.steer(2000, 500);
    run(match, 60);
    const { players, clock } = match.world;
    const now = { x: players.centreX[match.slot]!, y: players.centreY[match.slot]! };
    const { own, tick } = match.model.frame;
    expect(clock.tick - tick).toBeGreaterThan(0.4);
    expect(clock.tick - tick).toBeLessThan(4);
    const aheadBy = Math.hypot(own!.x - now.x, own!.y - now.y);
    expect(own!.x).toBeGreaterThan(now.x);
    expect(aheadBy).toBeLessThan(60);
    expect(own!.mass).toBeCloseTo(players.massMilli[match.slot]! / 1000, -1);
  });

  test('shows the first picture whole, without waiting for its tick', () => {
    const match = startMatch();
    const { cells, food } = match.advance();
    expect(food.shown.size).toBe(match.model.view.food.size);
    expect(food.shown.size).toBeGreaterThan(20);
    expect(cells.length).toBeGreaterThan(0);
  });

  test('lists only what the camera sees, smallest first', () => {
    const { cells, massFood, viruses, camera } = run(startMatch(), 100);
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.map(({ radius }) => radius)).toEqual(
      cells.map(({ radius }) => radius).toSorted((a, b) => a - b),
    );
    for (const { x, radius } of [...cells, ...massFood, ...viruses]) {
      expect(Math.abs(x - camera.x)).toBeLessThan(camera.widthPx / camera.scale / 2 + radius * 1.5);
    }
  });

  test('keeps no more bodies and food than are in view', () => {
    const match = startMatch();
    run(match, 300);
    const { view, frame } = match.model;
    expect(frame.food.shown.size).toBeGreaterThan(0);
    expect(frame.food.shown.size).toBeLessThanOrEqual(view.food.size + 60);
    expect(frame.food.waiting.length).toBeLessThan(200);
  });

  test('asks for a snapshot after a lost message and recovers with it', () => {
    const match = startMatch();
    run(match, 20);
    match.advance(() => {});
    let answer = '';
    match.advance((bytes) => {
      answer = match.model.receive(bytes, 2_000);
    });
    expect(answer).toBe('needsFull');
    requestFull(match.stream);
    run(match, 20);
    const { frame, view } = match.model;
    const shownIds = new Set([...frame.food.shown.values()]);
    const stale = [...shownIds].filter((item) => view.food.get(item.id) !== item);
    expect(stale.length).toBeLessThan(20);
    expect(frame.own).toBeDefined();
  });

  test('food and cells sink into their eater', () => {
    const match = startMatch();
    let gulps = 0;
    for (let tick = 0; tick < 400; tick++) gulps += match.advance().gulps.length;
    expect(gulps).toBeGreaterThan(0);
    for (const { x, eater, fromRadius } of match.model.frame.gulps) {
      expect(Math.abs(x - eater.x)).toBeLessThan(eater.radius + fromRadius);
    }
  });

  test('has no own player once the last cell is gone', () => {
    const match = startMatch();
    run(match, 10);
    expect(match.model.frame.own).toBeDefined();
    applyCommand(match.world, { type: 'disconnect', player: match.player });
    run(match, 25 * 11);
    expect(match.world.players.isAlive[match.slot]).toBe(0);
    expect(match.model.frame.own).toBeUndefined();
  });

  test('holds the zoom after a split', () => {
    const match = startMatch();
    run(match, 10);
    applyCommand(match.world, { type: 'split', player: match.player });
    run(match, 10);
    expect(match.model.frame.own!.cellCount).toBe(2);
    expect(match.model.camera.zoomHeldUntilMs).toBeGreaterThan(match.model.frame.nowMs + 3_000);
  });

  test('publishes the own splits', () => {
    const match = startMatch();
    run(match, 10);
    expect(match.published('split')).toEqual([]);
    applyCommand(match.world, { type: 'split', player: match.player });
    run(match, 10);
    expect(match.published('split')).toEqual([{ type: 'split', cellCount: 2 }]);
  });

  test("shows a split in the next frame, and the room's piece as the same body", () => {
    const match = startMatch();
    match.steer(600, 0);
    run(match, 10);
    match.press('split', true);
    const { own, cells } = match.drawFrame();
    expect(own!.cellCount).toBe(2);
    const shown = new Set(cells.filter(({ isOwn }) => isOwn).map(({ id }) => id));
    run(match, 5);
    expect(match.world.players.cellCount[match.slot]).toBe(2);
    const later = match.model.frame.cells.filter(({ isOwn }) => isOwn).map(({ id }) => id);
    expect(new Set(later)).toEqual(shown);
    expect(match.published('split')).toHaveLength(1);
  });

  test('takes back a split that the room did not make', () => {
    const match = startMatch();
    match.steer(600, 0);
    run(match, 10);
    match.press('split', false);
    expect(match.drawFrame().own!.cellCount).toBe(2);
    const frame = run(match, 3);
    expect(frame.own!.cellCount).toBe(1);
    expect(frame.gulps.some(({ kind }) => kind === 'cell')).toBe(true);
    expect(frame.own!.mass).toBeCloseTo(match.world.players.massMilli[match.slot]! / 1000, -1);
  });

  test("shows ejected mass in the next frame, and goes on with the room's piece", () => {
    const match = startMatch();
    match.steer(600, 0);
    run(match, 10);
    match.press('eject', true);
    const own = ({ massFood }: Frame) => massFood.filter(({ isOwn }) => isOwn);
    expect(own(match.drawFrame())).toHaveLength(1);
    const [{ id, x }] = own(match.model.frame) as [Body];
    let last = x;
    for (let tick = 0; tick < 7; tick++) {
      const [piece, ...others] = own(match.advance());
      expect(others).toEqual([]);
      expect(piece!.id).toBe(id);
      expect(piece!.x).toBeGreaterThanOrEqual(last - 0.5);
      last = piece!.x;
    }
    expect(match.published('ejected')).toHaveLength(1);
  });

  test('takes back ejected mass that the room did not make', () => {
    const match = startMatch();
    run(match, 10);
    match.press('eject', false);
    expect(match.drawFrame().massFood.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    expect(run(match, 40).massFood.filter(({ isOwn }) => isOwn)).toEqual([]);
  });

  test('publishes ejected mass once, and not again when it comes back into view', () => {
    const match = startMatch();
    run(match, 10);
    applyCommand(match.world, { type: 'eject', player: match.player });
    run(match, 10);
    expect(match.published('ejected')).toHaveLength(1);
    requestFull(match.stream);
    run(match, 10);
    expect(match.published('ejected')).toHaveLength(1);
  });

  test.each([100, 0])('publishes what is eaten in sight, with %d animations at most', (maxGulps) => {
    const match = startMatch({ maxGulps });
    match.steer(2000, 500);
    run(match, 400);
    const eaten = match.published('eaten');
    expect(eaten.length).toBeGreaterThan(0);
    expect(eaten).toContainEqual({ type: 'eaten', prey: 'food', isOwnPrey: false, isOwnEater: true });
  });

  test('keeps up with splits, bursts, merges and lost inputs', () => {
    const match = startMatch({
      seed: 8,
      rules: {
        ...standardRules,
        food: { ...standardRules.food, count: 300 },
        worldSize: 2500,
        spawn: { ...standardRules.spawn, mass: 900, invulnerableSeconds: 600 },
        viruses: { ...standardRules.viruses, count: 30 },
        merging: { minSeconds: 1, maxSeconds: 2, secondsPerMass: 0 },
      },
    });
    let most = 0;
    let fewest = 16;
    for (let tick = 0; tick < 500; tick++) {
      match.steer(Math.round(600 * Math.cos(tick / 30)), Math.round(600 * Math.sin(tick / 30)));
      if (tick % 7 === 0) match.press('split', tick % 3 > 0);
      if (tick % 5 === 0) match.press('eject', tick % 4 > 0);
      const { own, cells } = match.advance();
      most = Math.max(most, own!.cellCount);
      fewest = Math.min(fewest, own!.cellCount);
      expect(cells.every(({ x, y, radius }) => Number.isFinite(x + y + radius))).toBe(true);
    }
    expect(most).toBe(16);
    expect(fewest).toBeLessThan(9);
    const { own } = run(match, 30);
    expect(own!.cellCount).toBe(match.world.players.cellCount[match.slot]);
    expect(own!.x).toBeCloseTo(match.world.players.centreX[match.slot]!, -2);
  });

  test('publishes the portal phases in the order they come', () => {
    const portals = { ...standardRules.portals, idleSeconds: 2, warningSeconds: 1, activeSeconds: 1 };
    const match = startMatch({ rules: { ...standardRules, portals } });
    run(match, 25 * 6);
    const phases = match.published('portalPhase').map((event) => 'phase' in event && event.phase);
    expect(phases.length).toBeGreaterThanOrEqual(3);
    const cycle = ['idle', 'warning', 'active', 'disappearing'];
    phases.slice(1).forEach((phase, index) => {
      expect(phase).toBe(cycle[(cycle.indexOf(String(phases[index])) + 1) % cycle.length]);
    });
  });
});
