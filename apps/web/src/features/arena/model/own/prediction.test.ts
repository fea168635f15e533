import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import type { OwnCellRules } from '@engulf/sim/own-cells';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { massToRadius } from '@engulf/sim/size';
import { step } from '@engulf/sim/step';
import type { Tide } from '@engulf/sim/tide';
import { describe, expect, test, vi } from 'vitest';
import type { Bodies } from '../playout/bodies.ts';
import type { SeenCell } from './own-cells.ts';
import { createPrediction } from './prediction.ts';

const STEP_MS = 40;
const player: PlayerView = {
  slot: 0,
  id: 65_536,
  name: 'Ada',
  colour: 3,
  isBot: false,
  isAdmin: false,
  picture: undefined,
  reward: '',
  invulnerableUntilTick: 0,
  cells: [],
};

function wireRules({ stake: _, ...bots }: Rules['bots'] = standardRules.bots): OwnCellRules {
  return { ...standardRules, bots } as OwnCellRules;
}

const DRY: Tide = { size: 7000, goal: 7000, risesAtTick: 0, isHeld: false };

/** A prediction that is told the room's state by hand; room and page share one clock. */
function startPrediction(rules: OwnCellRules = wireRules()) {
  const bodies: Bodies = new Map();
  const onAbsorbed = vi.fn();
  const prediction = createPrediction(bodies, onAbsorbed);
  prediction.adoptRules(rules);
  const know = (
    tick: number,
    seen: readonly SeenCell[],
    more: { ack?: number; isFull?: boolean; tide?: Tide } = {},
  ) =>
    prediction.reconcile(
      {
        tick,
        player,
        seen,
        acknowledged: more.ack ?? 0,
        tide: more.tide ?? DRY,
        isFull: more.isFull ?? false,
        fastestMs: 0,
      },
      tick * STEP_MS,
    );
  return { bodies, prediction, onAbsorbed, know };
}

const alone = (x: number, y = 3000, radius = 60): SeenCell[] => [{ id: 1, x, y, radius }];

describe('the predicted own cell', () => {
  test.each([1, 3, 6])('is where the room has it %i ticks later, to the last bit', (lateTicks) => {
    const rules: Rules = {
      ...standardRules,
      viruses: { ...standardRules.viruses, count: 0 },
      food: { ...standardRules.food, count: 0 },
    };
    const world = createWorld({ key: numberedKey(5), rules });
    const joined = applyCommand(world, { type: 'join', stake: 1n });
    if (!joined.ok) throw new Error('no place');
    const { x, y, radius } = world.bodies;
    const { prediction, bodies } = startPrediction();
    const pointers = Array.from({ length: 60 }, (_, i) => ({ x: 600 - 12 * i, y: 15 * i - 400 }));
    const truth: SeenCell[] = [];
    const tides: Tide[] = [];
    // The water comes in while the cell moves.
    world.tide.size += 300;
    for (const pointer of pointers) {
      applyCommand(world, { type: 'steer', player: joined.player!, ...pointer });
      step(world);
      truth.push({ id: 1, x: x[0]!, y: y[0]!, radius: radius[0]! });
      tides.push({ ...world.tide });
    }
    expect(tides.at(-1)!.size).toBeLessThan(tides[0]!.size);
    // The pointer of each step is sent in the middle of the step before, and takes `lateTicks` to arrive.
    const numbers: number[] = [];
    for (let tick = 1; tick < 40; tick++) {
      const sentMs = (tick - 0.5) * STEP_MS;
      const { x: pointerX, y: pointerY } = pointers[tick - 1]!;
      numbers.push(prediction.send('steer', pointerX, pointerY, sentMs));
      const knownTick = tick - lateTicks;
      if (knownTick < 1) continue;
      const nowMs = tick * STEP_MS;
      const update = {
        player,
        seen: [truth[knownTick - 1]!],
        tide: tides[knownTick - 1]!,
        isFull: knownTick === 1,
        fastestMs: lateTicks * STEP_MS,
      };
      prediction.reconcile({ ...update, tick: knownTick, acknowledged: numbers[knownTick - 1]! }, nowMs);
      prediction.show(nowMs, STEP_MS);
      if (knownTick < 10) continue;
      expect(prediction.correction()).toBeLessThan(1e-9);
      const body = bodies.get(1)!;
      expect(Math.hypot(body.x - truth[tick - 1]!.x, body.y - truth[tick - 1]!.y)).toBeLessThan(1e-9);
    }
  });

  test('follows the water as it goes out', () => {
    const { prediction, bodies, know } = startPrediction();
    const { fallingSpeed } = standardRules.tide;
    prediction.send('steer', 5000, 0, 0);
    const tide = { size: 3000, goal: 7000, risesAtTick: 0, isHeld: false };
    know(1, alone(5000 - 30), { isFull: true, tide });
    prediction.show(10 * STEP_MS, 16);
    const before = bodies.get(1)!.x;
    prediction.show(20 * STEP_MS, 16);
    expect(bodies.get(1)!.x - before).toBeCloseTo(10 * fallingSpeed * (STEP_MS / 1000), 1);
  });

  test('turns with a pointer that is not sent yet', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(3000));
    prediction.show(60, 16);
    prediction.point(500, 0, 62);
    prediction.show(76, 16);
    expect(bodies.get(1)!.x).toBeGreaterThan(3000);
  });

  test('stays inside the border', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(6960));
    prediction.send('steer', 5000, 0, 41);
    prediction.show(500, 16);
    prediction.show(500, 5_000);
    expect(bodies.get(1)!.x).toBeCloseTo(6970, 3);
  });

  test('is carried on by a launch that it did not ask for, which fades as in the room', () => {
    const { prediction, bodies, know } = startPrediction();
    const kept = Math.exp(-standardRules.boost.decayPerSecond / standardRules.stepsPerSecond);
    know(1, alone(1000));
    know(2, alone(1060));
    prediction.show(2 * STEP_MS - 60 + 2 * STEP_MS, 10_000);
    expect(bodies.get(1)!.x).toBeCloseTo(1060 + 60 * (kept + kept ** 2), 3);
  });

  test('closes in on the better position without a jump, but jumps after a teleport', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(1000));
    prediction.show(41, 16);
    know(2, alone(1015));
    expect(prediction.correction()).toBeCloseTo(15);
    let last = bodies.get(1)!.x;
    const moves: number[] = [];
    for (let nowMs = 81; nowMs < 900; nowMs += 16) {
      prediction.show(nowMs, 16);
      moves.push(bodies.get(1)!.x - last);
      last = bodies.get(1)!.x;
    }
    expect(last).toBeCloseTo(1015, 0);
    expect(Math.max(...moves)).toBeLessThan(2);
    expect(Math.min(...moves)).toBeGreaterThan(-1e-9);
    know(23, alone(3000));
    prediction.show(925, 16);
    expect(bodies.get(1)!.x).toBe(3000);
  });

  test('keeps its body when a full snapshot gives it another id', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(3000));
    prediction.show(41, 16);
    const body = bodies.get(1)!;
    know(2, [{ ...alone(3000)[0]!, id: 44 }], { isFull: true });
    expect([...bodies]).toEqual([[44, body]]);
  });

  test('is not shown after the room has removed it', () => {
    const { prediction, bodies, know, onAbsorbed } = startPrediction();
    know(1, alone(3000));
    prediction.send('split', 0, 0, 60);
    know(2, []);
    prediction.show(100, 16);
    expect([...bodies.keys()].filter((key) => key < 0)).toEqual([]);
    expect(onAbsorbed).not.toHaveBeenCalled();
  });
});

describe('a predicted split', () => {
  test('divides a cell that is large enough, towards the pointer', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(3000, 3000, 100));
    prediction.send('steer', 500, 0, 41);
    prediction.send('split', 500, 0, 42);
    prediction.show(130, 16);
    const [mother, piece] = [...bodies.values()];
    expect(piece!.x - mother!.x).toBeGreaterThan(80);
    expect(piece!.radius).toBeCloseTo(100 * 0.5 ** (standardRules.size.eighths / 8), 0);
    expect(piece!.player).toBe(player);
  });

  test('gives way when the room has used up all places, with a burst for instance', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(3000, 3000, 400));
    for (let i = 0; i < 4; i++) prediction.send('split', 500, 0, 42 + i);
    prediction.show(200, 16);
    expect(bodies.size).toBe(16);
    const burst = Array.from({ length: 16 }, (_, i) => ({
      id: 100 + i,
      x: 3000 + 40 * i,
      y: 3000,
      radius: 100,
    }));
    know(2, [...alone(3000, 3000, 100), ...burst.slice(1)]);
    know(3, [...burst, ...alone(3000, 3000, 100)]);
    prediction.show(230, 16);
    expect([...bodies.keys()].filter((key) => key < 0)).toEqual([]);
  });

  test('leaves a small cell alone', () => {
    const { prediction, bodies, know } = startPrediction();
    know(1, alone(3000, 3000, massToRadius(standardRules.size, standardRules.splitting.minMass - 1)));
    prediction.send('split', 500, 0, 42);
    prediction.show(130, 16);
    expect(bodies.size).toBe(1);
  });

  test('is taken back into its origin when the room has not made it', () => {
    const { prediction, bodies, know, onAbsorbed } = startPrediction();
    know(1, alone(3000, 3000, 100));
    const number = prediction.send('split', 500, 0, 42);
    prediction.show(130, 16);
    const piece = [...bodies.values()][1]!;
    know(2, alone(3000, 3000, 100));
    expect(onAbsorbed).not.toHaveBeenCalled();
    know(3, alone(3000, 3000, 100), { ack: number });
    expect(onAbsorbed).toHaveBeenCalledExactlyOnceWith(piece, bodies.get(1));
    expect(bodies.size).toBe(1);
  });
});
