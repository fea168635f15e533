import { describe, expect, test } from 'vitest';
import type { MatchEvidence } from './evidence.ts';
import { createPuppets } from './testing/puppets.ts';

const TICKS = 15_000;

/** Whether a pointer moves at a tick, given who moved in the ticks before. */
type Habit = (tick: number, moved: (name: string, ticksAgo: number) => boolean) => boolean;

/** Moves for a while and rests for a while, whatever others do. */
function atWill(seed: number, moveTicks = 60, restTicks = 40): Habit {
  const random = numbers(seed);
  let [isMoving, until] = [true, 0];
  return (tick) => {
    if (tick >= until) {
      isMoving = !isMoving;
      until = tick + Math.ceil((isMoving ? moveTicks : restTicks) * (0.2 + 1.6 * random()));
    }
    return isMoving;
  };
}

/** One person with two windows, and now and then a pause in each. */
function inTurn(seed: number): readonly [Habit, Habit] {
  const random = numbers(seed);
  const pauses = [atWill(seed + 1, 40, 12), atWill(seed + 2, 40, 12)];
  const switches: number[] = [];
  for (let at = 0; at < TICKS; at += 50 + Math.floor(100 * random())) switches.push(at);
  const holderAt = (tick: number): number => {
    const index = switches.findLastIndex((at) => at <= tick);
    return tick - switches[index]! < 10 ? -1 : index % 2;
  };
  const habit =
    (hand: number): Habit =>
    (tick, moved) =>
      pauses[hand]!(tick, moved) && holderAt(tick) === hand;
  return [habit(0), habit(1)];
}

function watch(habits: { readonly [name: string]: Habit }): MatchEvidence {
  const names = Object.keys(habits);
  const puppets = createPuppets(names);
  const history = new Map(names.map((name) => [name, [] as boolean[]]));
  const moved = (name: string, ticksAgo: number) => history.get(name)!.at(-ticksAgo) ?? false;
  const angles = new Map(names.map((name) => [name, 0]));
  for (let tick = 0; tick < TICKS; tick++) {
    const now = names.map((name) => habits[name]!(tick, moved));
    const poses = names.map((name, index) => {
      if (now[index]) angles.set(name, angles.get(name)! + 0.1);
      const angle = angles.get(name)!;
      const aim = { aimX: 300 * Math.cos(angle), aimY: 300 * Math.sin(angle) };
      return [name, { x: 500 + 800 * index, y: 3_500, mass: 50, ...aim }] as const;
    });
    for (const [index, name] of names.entries()) history.get(name)!.push(now[index]!);
    puppets.step(Object.fromEntries(poses));
  }
  return puppets.finish();
}

function deviationOf(evidence: MatchEvidence, actor: string, partner: string): number {
  const pair = evidence.pairs.find((one) => one.actor === actor && one.partner === partner);
  if (!pair || pair.waits.variance === 0) return 0;
  return pair.waits.surplus / Math.sqrt(pair.waits.variance);
}

describe('one hand', () => {
  const [left, right] = inTurn(5);
  const evidence = watch({ ann: left, bob: right, cid: atWill(1), dot: atWill(2) });

  test('that plays two windows in turn is seen in both', () => {
    expect(deviationOf(evidence, 'ann', 'bob')).toBeGreaterThan(5);
    expect(deviationOf(evidence, 'bob', 'ann')).toBeGreaterThan(5);
    const { moments } = evidence.pairs.find(({ actor, partner }) => actor === 'ann' && partner === 'bob')!;
    expect(moments.some(({ what }) => what === 'waited')).toBe(true);
  });

  test('is not seen in people who rest at their own times', () => {
    for (const [actor, partner] of [
      ['cid', 'dot'],
      ['dot', 'cid'],
      ['ann', 'cid'],
      ['cid', 'bob'],
    ] as const)
      expect(deviationOf(evidence, actor, partner)).toBeLessThan(3);
  });

  test('is not seen in an account whose rests somebody else fills', () => {
    const victim = atWill(3);
    // A program that sees the victim's pointer two ticks late: as long as it rests, or for a moment after it has stopped.
    const filling: Habit = (_, moved) => !moved('victim', 2);
    const bursting: Habit = (_, moved) =>
      !moved('victim', 2) && Array.from({ length: 8 }, (_, k) => moved('victim', 3 + k)).includes(true);
    const framed = watch({ victim, filling, bursting });
    expect(deviationOf(framed, 'victim', 'filling')).toBeLessThan(3);
    expect(deviationOf(framed, 'victim', 'bursting')).toBeLessThan(3);
  });
});

test('people who rest at their own times scatter as chance does', () => {
  const evidence = watch(
    Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        `p${index}`,
        atWill(100 + 7 * index, 30 + 10 * index, 15 + 6 * (index % 5)),
      ]),
    ),
  );
  const squares = evidence.pairs.map(({ actor, partner }) => deviationOf(evidence, actor, partner) ** 2);
  const spread = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
  expect(spread).toBeGreaterThan(0.7);
  expect(spread).toBeLessThan(1.2);
});

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
