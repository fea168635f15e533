import { requestFull } from '@engulf/netcode/encode/view-stream';
import { applyCommand } from '@engulf/sim/commands';
import { findPlayer } from '@engulf/sim/players';
import { standardRules } from '@engulf/sim/rules';
import { describe, expect, test } from 'vitest';
import { runMatch, startRealMatch } from '../../../testing/real-match.ts';

describe('the arena model', () => {
  test('shows the own player ahead of the room and everybody else behind it', () => {
    const match = startRealMatch();
    const { players, clock, rules } = match.world;
    // Away from the shore.
    const side = players.centreX[match.slot]! < rules.worldSize / 2 ? 1 : -1;
    match.steer(2000 * side, 500);
    runMatch(match, 60);
    const now = { x: players.centreX[match.slot]!, y: players.centreY[match.slot]! };
    const { own, tick } = match.model.frame;
    expect(clock.tick - tick).toBeGreaterThan(0.4);
    expect(clock.tick - tick).toBeLessThan(4);
    const aheadBy = Math.hypot(own!.x - now.x, own!.y - now.y);
    expect((own!.x - now.x) * side).toBeGreaterThan(0);
    expect(aheadBy).toBeLessThan(60);
    expect(own!.mass).toBeCloseTo(players.massMilli[match.slot]! / 1000, -1);
  });

  test('shows the first picture whole, without waiting for its tick', () => {
    const match = startRealMatch();
    const { cells, food } = match.advance();
    expect(food.shown.size).toBe(match.model.view.food.size);
    expect(food.shown.size).toBeGreaterThan(20);
    expect(cells.length).toBeGreaterThan(0);
  });

  test('lists only what the camera sees, smallest first', () => {
    const { cells, massFood, viruses, camera } = runMatch(startRealMatch(), 100);
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.map(({ radius }) => radius)).toEqual(
      cells.map(({ radius }) => radius).toSorted((a, b) => a - b),
    );
    for (const { x, radius } of [...cells, ...massFood, ...viruses]) {
      expect(Math.abs(x - camera.x)).toBeLessThan(camera.widthPx / camera.scale / 2 + radius * 1.5);
    }
  });

  test('keeps no more bodies and food than are in view', () => {
    const match = startRealMatch();
    runMatch(match, 300);
    const { view, frame } = match.model;
    expect(frame.food.shown.size).toBeGreaterThan(0);
    expect(frame.food.shown.size).toBeLessThanOrEqual(view.food.size + 60);
    expect(frame.food.waiting.length).toBeLessThan(200);
  });

  test('a page in the background, which draws no frames, keeps no more than it may for long', () => {
    const match = startRealMatch();
    runMatch(match, 20);
    const { frame } = match.model;
    let most = 0;
    let leastLately = Number.POSITIVE_INFINITY;
    for (let tick = 0; tick < 4_000; tick++) {
      const side = tick % 400 < 200 ? 1 : -1;
      match.steer(3_000 * side, 3_000 * side);
      match.advance(undefined, false);
      const { length } = frame.food.waiting;
      most = Math.max(most, length);
      if (tick >= 3_000) leastLately = Math.min(leastLately, length);
    }
    expect(most).toBeGreaterThan(1_000);
    expect(leastLately).toBeLessThan(most / 2);
  });

  test('asks for a snapshot after a lost message and recovers with it', () => {
    const match = startRealMatch();
    runMatch(match, 20);
    match.advance(() => {});
    let answer = '';
    match.advance((bytes) => {
      answer = match.model.receive(bytes, 2_000);
    });
    expect(answer).toBe('needsFull');
    requestFull(match.stream);
    runMatch(match, 20);
    const { frame, view } = match.model;
    const shownIds = new Set([...frame.food.shown.values()]);
    const stale = [...shownIds].filter((item) => view.food.get(item.id) !== item);
    expect(stale.length).toBeLessThan(20);
    expect(frame.own).toBeDefined();
  });

  test('food and cells sink into their eater', () => {
    const match = startRealMatch();
    let gulps = 0;
    for (let tick = 0; tick < 400; tick++) gulps += match.advance().gulps.length;
    expect(gulps).toBeGreaterThan(0);
    for (const { x, eater, fromRadius } of match.model.frame.gulps) {
      expect(Math.abs(x - eater.x)).toBeLessThan(eater.radius + fromRadius);
    }
  });

  test('has no own player once the last cell is gone', () => {
    const match = startRealMatch();
    runMatch(match, 10);
    expect(match.model.frame.own).toBeDefined();
    applyCommand(match.world, { type: 'disconnect', player: match.player });
    runMatch(match, 25 * 11);
    expect(findPlayer(match.world.players, match.player)).toBe(-1);
    expect(match.model.frame.own).toBeUndefined();
  });

  test('holds the zoom after a split', () => {
    const match = startRealMatch();
    runMatch(match, 10);
    applyCommand(match.world, { type: 'split', player: match.player });
    runMatch(match, 10);
    expect(match.model.frame.own!.cellCount).toBe(2);
    expect(match.model.camera.zoomHeldUntilMs).toBeGreaterThan(match.model.frame.nowMs + 3_000);
  });

  test('publishes the own splits', () => {
    const match = startRealMatch();
    runMatch(match, 10);
    expect(match.published('split')).toEqual([]);
    applyCommand(match.world, { type: 'split', player: match.player });
    runMatch(match, 10);
    expect(match.published('split')).toEqual([{ type: 'split', cellCount: 2 }]);
  });

  test('publishes ejected mass once, and not again when it comes back into view', () => {
    const match = startRealMatch();
    runMatch(match, 10);
    applyCommand(match.world, { type: 'eject', player: match.player });
    runMatch(match, 10);
    expect(match.published('ejected')).toHaveLength(1);
    requestFull(match.stream);
    runMatch(match, 10);
    expect(match.published('ejected')).toHaveLength(1);
  });

  test.each([100, 0])('publishes what is eaten in sight, with %d animations at most', (maxGulps) => {
    const match = startRealMatch({ maxGulps });
    match.steer(2000, 500);
    runMatch(match, 400);
    const eaten = match.published('eaten');
    expect(eaten.length).toBeGreaterThan(0);
    expect(eaten).toContainEqual({ type: 'eaten', prey: 'food', isOwnEater: true });
  });

  test('publishes the portal phases in the order they come', () => {
    const portals = { ...standardRules.portals, idleSeconds: 2, warningSeconds: 1, activeSeconds: 1 };
    const match = startRealMatch({ rules: { ...standardRules, portals } });
    runMatch(match, 25 * 6);
    const phases = match.published('portalPhase').map((event) => 'phase' in event && event.phase);
    expect(phases.length).toBeGreaterThanOrEqual(3);
    const cycle = ['idle', 'warning', 'active', 'disappearing'];
    phases.slice(1).forEach((phase, index) => {
      expect(phase).toBe(cycle[(cycle.indexOf(String(phases[index])) + 1) % cycle.length]);
    });
  });
});
