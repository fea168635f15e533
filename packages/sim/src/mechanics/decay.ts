import { BODY } from '../bodies.ts';
import { changeCellMass } from '../cells.ts';
import type { World } from '../world.ts';

/** Large cells lose some mass once a second. They take turns, so that the work spreads over the steps. */
export function decayCells(world: World): void {
  const { bodies, rules, stepRules, clock } = world;
  const floorMilli = stepRules.decayAboveMassMilli;
  const perSecond = rules.stepsPerSecond;
  for (let cell = clock.tick % perSecond; cell < bodies.top; cell += perSecond) {
    if (bodies.kind[cell] !== BODY.cell) continue;
    const massMilli = bodies.massMilli[cell]!;
    if (massMilli <= floorMilli) continue;
    const lost = Math.min(Math.floor(massMilli * rules.cells.decayPerSecond), massMilli - floorMilli);
    changeCellMass(world, cell, -lost);
  }
}
