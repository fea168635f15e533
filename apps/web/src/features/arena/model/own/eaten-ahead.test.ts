import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { standardRules } from '@engulf/sim/rules';
import { describe, expect, test } from 'vitest';
import { type Bodies, type Body, createBody, isEaten, isShown } from '../playout/bodies.ts';
import { poseAt, recordSample } from '../playout/motion.ts';
import { meetPrey } from './eaten-ahead.ts';

const KNOWN_TICK = 100;
const SHOWN_TICK = 97;
const OWN_TICK = 105;

/** A body that goes to the right, as it is shown at `SHOWN_TICK`. */
function body(id: number, kind: Body['kind'], x: number, perTick: number, protectedUntil = 0): Body {
  const player = { invulnerableUntilTick: protectedUntil } as PlayerView;
  const look = { id, kind, player: kind === 'cell' ? player : undefined, colour: 0, isOwn: false, x, y: 0 };
  const made = createBody({ ...look, radius: kind === 'cell' ? 50 : 60 }, 0);
  for (let tick = 90; tick <= KNOWN_TICK; tick++) {
    recordSample(made.motion, tick, x + perTick * (tick - SHOWN_TICK), 0, made.radius);
  }
  made.shownSinceMs = 0;
  return made;
}

function own(radius: number, protectedUntil = 0): Body {
  const player = { invulnerableUntilTick: protectedUntil } as PlayerView;
  const look = { id: 1, kind: 'cell', player, colour: 0, isOwn: true, x: 0, y: 0, radius } as const;
  const made = createBody(look, 0);
  made.shownSinceMs = 0;
  return made;
}

/** Shows one more frame. */
function meet(eater: Body, prey: Body, knownTick = KNOWN_TICK): readonly Body[] {
  const bodies: Bodies = new Map([eater, prey].map((each) => [each.id, each]));
  poseAt(prey.motion, SHOWN_TICK, prey);
  return meetPrey(bodies, standardRules, { ownTick: OWN_TICK, knownTick, elapsedMs: 1000 / 60 });
}

describe('prey inside an own cell', () => {
  test('is eaten at once if it will still be there when the room gets to it', () => {
    const prey = body(2, 'cell', 20, 1);
    expect(meet(own(140), prey)).toEqual([prey]);
    const virus = body(3, 'virus', 80, 0);
    expect(meet(own(140), virus)).toEqual([virus]);
  });

  test('is shown on its way out, without jumping, if it will get away', () => {
    const prey = body(2, 'cell', 70, 14);
    const eater = own(140);
    const deep = eater.radius - prey.radius * standardRules.eating.preyDepth;
    expect(prey.x).toBeLessThan(deep);
    for (let frame = 0; frame < 12; frame++) expect(meet(eater, prey)).toEqual([]);
    expect(prey.x).toBeGreaterThan(deep);
    expect(prey.x).toBeLessThan(deep + 4);
    eater.x = -500;
    const before = prey.x;
    meet(eater, prey);
    expect(before - prey.x).toBeLessThan(0.4 * (before - 70));
  });

  test('is left alone if it, or its eater, is protected, or nearly as large', () => {
    expect(meet(own(140), body(2, 'cell', 20, 0, OWN_TICK + 1))).toEqual([]);
    expect(meet(own(140, OWN_TICK + 1), body(2, 'cell', 20, 0))).toEqual([]);
    expect(meet(own(52), body(2, 'cell', 0, 0))).toEqual([]);
  });

  test('is shown again if the room has not eaten it by then', () => {
    const prey = body(2, 'cell', 20, 0);
    prey.eatenTick = OWN_TICK;
    const far = own(140);
    far.x = 4_000;
    meet(far, prey, OWN_TICK + 4);
    expect([isShown(prey), isEaten(prey)]).toEqual([false, true]);
    meet(far, prey, OWN_TICK + 5);
    expect([isShown(prey), isEaten(prey)]).toEqual([true, false]);
  });

  test('is eaten when the room says so, although its last moments have not been shown', () => {
    const prey = body(2, 'cell', 100, 30);
    expect(meet(own(140), prey)).toEqual([]);
    Object.assign(prey, { goneTick: KNOWN_TICK, wasEaten: true });
    expect(meet(own(140), prey)).toEqual([prey]);
  });
});
