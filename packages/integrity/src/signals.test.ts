import { describe, expect, test } from 'vitest';
import { type MatchEvidence, noPair, noPlayer } from './evidence.ts';
import { addMatch, hypotheses, noTotals, putForward } from './score.ts';
import { createPuppets, type Pose } from './testing/puppets.ts';

const NAMES = ['ann', 'bob', 'cid', 'dot', 'eve', 'fox', 'gus', 'hal'];

/** Far from everybody else, and pointing nowhere in particular. */
const apart = (name: string): Pose => {
  const index = NAMES.indexOf(name);
  return { x: 600 + 800 * (index % 8), y: 6_500, mass: 50, aimX: 0, aimY: 300 };
};

const everybodyApart = () => Object.fromEntries(NAMES.map((name) => [name, apart(name)]));

function pairOf(evidence: MatchEvidence, actor: string, partner: string) {
  return evidence.pairs.find((pair) => pair.actor === actor && pair.partner === partner)!;
}

/** The hunter stands near prey that it can eat for a second. Both point as told: 1 towards the other, -1 away from it. */
function meet(
  puppets: ReturnType<typeof createPuppets>,
  hunter: string,
  prey: string,
  { hunts, flees }: { readonly hunts: number; readonly flees: number },
): void {
  for (let tick = 0; tick < 25; tick++) {
    puppets.step({
      ...everybodyApart(),
      [hunter]: { x: 2_000, y: 2_000, mass: 100, aimX: 300 * hunts, aimY: 30 },
      [prey]: { x: 2_300, y: 2_000, mass: 50, aimX: 300 * flees, aimY: 30 },
    });
  }
  for (let tick = 0; tick < 60; tick++) puppets.step(everybodyApart());
}

describe('soft play', () => {
  const puppets = createPuppets(NAMES);
  for (let round = 0; round < 4; round++) {
    for (const other of ['cid', 'dot', 'eve']) {
      meet(puppets, 'ann', other, { hunts: 1, flees: 1 });
      meet(puppets, 'bob', other, { hunts: 1, flees: 1 });
      meet(puppets, other, 'ann', { hunts: 1, flees: 1 });
      meet(puppets, other, 'bob', { hunts: 1, flees: 1 });
    }
    // Ann goes easy on Bob; Bob knows nothing of it.
    meet(puppets, 'ann', 'bob', { hunts: -1, flees: 1 });
    meet(puppets, 'bob', 'ann', { hunts: 1, flees: -1 });
  }
  const evidence = puppets.finish();

  test('is seen in chances that are left to one player only, and in dangers that are not fled', () => {
    const soft = pairOf(evidence, 'ann', 'bob');
    for (const { surplus, variance, count } of [
      soft.spareOwn,
      soft.spareOthers,
      soft.yieldOwn,
      soft.yieldOthers,
    ]) {
      expect(count).toBe(4);
      expect(surplus / Math.sqrt(variance)).toBeGreaterThan(2);
    }
    expect(soft.moments.length).toBeGreaterThan(0);
  });

  test('is no evidence against who is spared without knowing', () => {
    const victim = pairOf(evidence, 'bob', 'ann');
    expect(victim.spareOwn.surplus).toBeLessThanOrEqual(0);
    expect(victim.yieldOwn.surplus).toBeLessThanOrEqual(0);
  });

  test('is not seen in somebody who hunts nobody', () => {
    const tame = createPuppets(NAMES);
    for (const other of ['bob', 'cid', 'dot', 'eve']) {
      meet(tame, 'ann', other, { hunts: -1, flees: 1 });
      meet(tame, 'fox', other, { hunts: 1, flees: 1 });
    }
    const { spareOwn, spareOthers } = pairOf(tame.finish(), 'ann', 'bob');
    expect(Math.min(spareOwn.surplus, spareOthers.surplus)).toBeLessThanOrEqual(0.01);
  });
});

describe('giving', () => {
  function die(
    puppets: ReturnType<typeof createPuppets>,
    victim: string,
    killer: string,
    flees: number,
  ): void {
    for (let tick = 0; tick < 25; tick++) {
      puppets.step({
        ...everybodyApart(),
        [killer]: { x: 2_000, y: 2_000, mass: 100, aimX: 300, aimY: 0 },
        [victim]: { x: 2_200, y: 2_000, mass: 50, aimX: 300 * flees, aimY: 20 },
      });
    }
    const bodies = { bountyMoved: 500n, massMilli: 50_000 };
    puppets.step(everybodyApart(), [
      { type: 'cellEaten', eater: puppets.id(killer), prey: puppets.id(victim), ...bodies },
      { type: 'killed', killer: puppets.id(killer), victim: puppets.id(victim), ...bodies },
    ]);
    for (let tick = 0; tick < 60; tick++) puppets.step(everybodyApart());
  }

  test('a body is seen when somebody goes into one and the same without running', () => {
    const puppets = createPuppets(NAMES);
    for (const killer of ['cid', 'dot', 'eve', 'fox']) {
      die(puppets, 'hal', killer, 1);
      die(puppets, 'gus', killer, 1);
    }
    for (let round = 0; round < 2; round++) die(puppets, 'ann', 'bob', -1);
    const evidence = puppets.finish();
    const { give, bountyGiven, moments } = pairOf(evidence, 'ann', 'bob');
    expect(give.hits).toBe(2);
    expect(give.expected).toBeLessThan(0.6);
    expect(bountyGiven).toBeCloseTo(1);
    expect(moments[0]?.what).toBe('given');
    expect(pairOf(evidence, 'bob', 'ann')?.give.hits ?? 0).toBe(0);
  });

  test('mass is seen when thrown pieces are eaten by one and the same, and counts against the thrower only', () => {
    const puppets = createPuppets(NAMES);
    const near = {
      ...everybodyApart(),
      ann: { x: 2_000, y: 2_000, mass: 60, aimX: 300, aimY: 0 },
      bob: { x: 2_300, y: 2_000, mass: 70, aimX: -300, aimY: 0 },
    };
    for (let burst = 0; burst < 3; burst++) {
      for (let piece = 0; piece < 4; piece++) {
        const take = puppets.throwPiece('ann', 2_290, 2_000);
        puppets.step(near);
        take();
        puppets.step(near);
      }
      for (let tick = 0; tick < 120; tick++) puppets.step(near);
    }
    const evidence = puppets.finish();
    expect(pairOf(evidence, 'ann', 'bob').feed).toMatchObject({ hits: 3 });
    expect(pairOf(evidence, 'ann', 'bob').feed.expected).toBeLessThan(0.2);
    expect(pairOf(evidence, 'bob', 'ann').feed.hits).toBe(0);
  });
});

describe('sight', () => {
  /** Bob wanders about far away; Ann points at him, or always to the right. */
  function watchWanderer(knows: boolean): MatchEvidence {
    const puppets = createPuppets(['ann', 'bob']);
    for (let tick = 0; tick < 6_000; tick++) {
      const angle = tick / 150 + Math.sin(tick / 700) * 3;
      const bob = { x: 3_500 + 2_500 * Math.cos(angle), y: 3_500 + 2_500 * Math.sin(angle) };
      const aim = knows ? { aimX: (bob.x - 3_500) / 8, aimY: (bob.y - 3_500) / 8 } : { aimX: 300, aimY: 0 };
      puppets.step({
        ann: { x: 3_500, y: 3_500, mass: 100, ...aim },
        bob: { ...bob, mass: 50, aimX: 100, aimY: 0 },
      });
    }
    return puppets.finish();
  }

  test('beyond the screen is seen in somebody who heads for what it cannot see', () => {
    const evidence = watchWanderer(true);
    const { sight } = evidence.players.find(({ player }) => player === 'ann')!;
    expect(sight.surplus / Math.sqrt(sight.variance)).toBeGreaterThan(6);
    const { seek } = pairOf(evidence, 'ann', 'bob');
    expect(seek.surplus / Math.sqrt(seek.variance)).toBeGreaterThan(6);
    expect(pairOf(evidence, 'bob', 'ann').seek.surplus).toBeLessThan(seek.surplus / 3);
  });

  test('is not seen in somebody who does not know', () => {
    const { sight } = watchWanderer(false).players.find(({ player }) => player === 'ann')!;
    expect(Math.abs(sight.surplus / Math.sqrt(sight.variance))).toBeLessThan(3);
  });
});

describe('hands', () => {
  /** Somebody comes into view every few seconds, and the pointer turns after so many ticks. */
  function react(afterTicks: number) {
    const puppets = createPuppets(['ann', 'bob']);
    let turnsAt = Infinity;
    let side = 1;
    for (let tick = 0; tick < 4_000; tick++) {
      const isHere = tick % 100 < 20;
      if (tick % 100 === 0) turnsAt = tick + afterTicks;
      if (tick === turnsAt) side = -side;
      puppets.step({
        ann: { x: 3_500, y: 3_500, mass: 50, aimX: 0, aimY: 300 * side },
        bob: { x: isHere ? 3_700 : 6_500, y: 3_500, mass: 100, aimX: 100, aimY: 0 },
      });
    }
    return puppets.finish().players.find(({ player }) => player === 'ann')!;
  }

  test('that turn sooner than a person can are seen', () => {
    const { hits, expected } = react(1).quick;
    expect(hits).toBeGreaterThan(30);
    expect(expected).toBeLessThan(5);
    expect(react(7).quick.hits).toBe(0);
  });

  test('that jump and never move are told from those that glide', () => {
    const puppets = createPuppets(['jumps', 'glides']);
    for (let tick = 0; tick < 2_000; tick++) {
      const angle = tick / 25;
      const stepped = Math.floor(tick / 5);
      puppets.step({
        jumps: {
          x: 1_000,
          y: 1_000,
          mass: 50,
          aimX: 400 * Math.cos(stepped * 2),
          aimY: 400 * Math.sin(stepped * 2),
        },
        glides: { x: 6_000, y: 6_000, mass: 50, aimX: 400 * Math.cos(angle), aimY: 300 * Math.sin(angle) },
      });
    }
    const evidence = puppets.finish();
    const handOf = (name: string) => evidence.players.find(({ player }) => player === name)!.hand;
    expect(handOf('jumps').along / handOf('jumps').squares).toBeLessThan(0.1);
    expect(handOf('jumps').jumps / handOf('jumps').changes).toBeGreaterThan(0.9);
    expect(handOf('glides').along / handOf('glides').squares).toBeGreaterThan(0.9);
    expect(handOf('glides').jumps).toBe(0);
  });

  test('that begin to move like a clock are told from those that do not', () => {
    const puppets = createPuppets(['clock', 'person']);
    const angles = { clock: 0, person: 0 };
    let nextTick = 0;
    for (let tick = 0; tick < 3_000; tick++) {
      if (tick % 10 < 4) angles.clock += 0.1;
      if (tick > nextTick && tick < nextTick + 4) angles.person += 0.1;
      if (tick > nextTick + 5) nextTick = tick + ((tick * 7) % 31);
      const pose = (x: number, angle: number) => ({
        x,
        y: x,
        mass: 50,
        aimX: 400 * Math.cos(angle),
        aimY: 400 * Math.sin(angle),
      });
      puppets.step({ clock: pose(1_000, angles.clock), person: pose(6_000, angles.person) });
    }
    const evidence = puppets.finish();
    const spreadOf = (name: string) => {
      const { starts, gaps, gapSquares } = evidence.players.find(({ player }) => player === name)!.hand;
      expect(starts).toBeGreaterThan(50);
      return gapSquares / starts - (gaps / starts) ** 2;
    };
    expect(spreadOf('clock')).toBeLessThan(0.001);
    expect(spreadOf('person')).toBeGreaterThan(0.1);
  });

  test('that are odd in one respect are people; those that are odd in two are put forward', () => {
    const totals = noTotals();
    const hand = (player: string, jumps: number, along: number) => {
      const alone = noPlayer(player);
      const sums = { ticks: 20_000, changes: 10_000, along, squares: 1_000, jumps, sameReach: 800 };
      const players = [{ ...alone, hand: { ...alone.hand, ...sums } }];
      addMatch(totals, { seconds: 600, players, pairs: [] });
    };
    for (let index = 0; index < 60; index++) hand(`p${index}`, 10 + (index % 11), 780 + (index % 13) * 5);
    hand('jerky', 300, 800);
    expect(putForward(totals, 0.01)).toEqual([]);
    hand('script', 300, 300);
    expect(putForward(totals, 0.01)).toMatchObject([{ kind: 'machine', actor: 'script' }]);
  });
});

test('who is put forward depends on all that was looked at', () => {
  const totals = noTotals();
  const pair = (actor: string, partner: string, hits: number): MatchEvidence => ({
    seconds: 1,
    players: [],
    pairs: [{ ...noPair(actor, partner), give: { hits, expected: 0.2 } }],
  });
  addMatch(totals, pair('giver', 'taker', 8));
  expect(putForward(totals, 0.01).map(({ actor }) => actor)).toEqual(['giver']);
  addMatch(totals, pair('lucky', 'friend', 2));
  for (let index = 0; index < 2_000; index++) addMatch(totals, pair(`p${index}`, 'x', 0));
  expect(putForward(totals, 0.01).map(({ actor }) => actor)).toEqual(['giver']);
  expect(hypotheses(totals)[1]!.actor).toBe('lucky');
});
