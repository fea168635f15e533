import { standardRules } from '@engulf/sim/rules';
import { describe, expect, test } from 'vitest';
import { runMatch, startRealMatch } from '../../../../testing/real-match.ts';
import type { Frame } from '../frame/frame.ts';
import type { Body } from '../playout/bodies.ts';

describe('the own input on the screen', () => {
  test("shows a split in the next frame, and the room's piece as the same body", () => {
    const match = startRealMatch();
    match.steer(600, 0);
    runMatch(match, 10);
    match.press('split', true);
    const { own, cells } = match.drawFrame();
    expect(own!.cellCount).toBe(2);
    const shown = new Set(cells.filter(({ isOwn }) => isOwn).map(({ id }) => id));
    runMatch(match, 5);
    expect(match.world.players.cellCount[match.slot]).toBe(2);
    const later = match.model.frame.cells.filter(({ isOwn }) => isOwn).map(({ id }) => id);
    expect(new Set(later)).toEqual(shown);
    expect(match.published('split')).toHaveLength(1);
  });

  test('takes back a split that the room did not make', () => {
    const match = startRealMatch();
    match.steer(600, 0);
    runMatch(match, 10);
    match.press('split', false);
    expect(match.drawFrame().own!.cellCount).toBe(2);
    const frame = runMatch(match, 3);
    expect(frame.own!.cellCount).toBe(1);
    expect(frame.gulps.some(({ kind }) => kind === 'cell')).toBe(true);
    expect(frame.own!.mass).toBeCloseTo(match.world.players.massMilli[match.slot]! / 1000, -1);
  });

  test("shows ejected mass in the next frame, and continues with the room's piece", () => {
    const match = startRealMatch();
    match.steer(600, 0);
    runMatch(match, 10);
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
    const match = startRealMatch();
    runMatch(match, 10);
    match.press('eject', false);
    expect(match.drawFrame().massFood.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    expect(runMatch(match, 40).massFood.filter(({ isOwn }) => isOwn)).toEqual([]);
  });

  test('keeps up with splits, bursts, merges and lost inputs', () => {
    const match = startRealMatch({
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
    const { own } = runMatch(match, 30);
    expect(own!.cellCount).toBe(match.world.players.cellCount[match.slot]);
    expect(own!.x).toBeCloseTo(match.world.players.centreX[match.slot]!, -2);
  });
});
