import { steerBots } from './bots/brain.ts';
import { populateBots } from './bots/population.ts';
import { updateCentres } from './cells.ts';
import { enterEpoch } from './epochs.ts';
import type { ArenaEvent } from './events.ts';
import { growFood } from './food.ts';
import { watchBeacons } from './mechanics/beacons.ts';
import { shareSpill } from './mechanics/bounty.ts';
import { decayCells } from './mechanics/decay.ts';
import { eatBodies } from './mechanics/eating.ts';
import { dissolveOldMass, ejectQueued } from './mechanics/ejecting.ts';
import { eatFood } from './mechanics/foraging.ts';
import { advanceClosing, removeDeparted } from './mechanics/leaving.ts';
import { advancePortals, exitThroughPortals } from './mechanics/portal-waves.ts';
import { settleSiblings } from './mechanics/siblings.ts';
import { splitOvergrown, splitQueued } from './mechanics/splitting.ts';
import { driftBodies, keepCellsInside, steerCells } from './mechanics/steering.ts';
import { advanceTide, decideTide } from './mechanics/tides.ts';
import { keepTruce } from './mechanics/truces.ts';
import { regrowViruses } from './mechanics/viruses.ts';
import type { World } from './world.ts';

/**
 * Advances the world by one fixed step and returns what happened since the previous step, including joins. An
 * ended world does not change.
 */
export function step(world: World): readonly ArenaEvent[] {
  if (world.clock.isEnded) return takeEvents(world);
  enterEpoch(world);
  world.food.changeCount = 0;
  const isCalm = keepTruce(world);

  steerBots(world);
  splitQueued(world);
  ejectQueued(world);
  steerCells(world);
  driftBodies(world);
  settleSiblings(world);
  advanceTide(world);
  keepCellsInside(world);
  if (!isCalm) {
    eatBodies(world);
    eatFood(world);
    decayCells(world);
  }
  splitOvergrown(world);
  dissolveOldMass(world);

  advancePortals(world);
  exitThroughPortals(world);
  removeDeparted(world);
  advanceClosing(world);
  shareSpill(world);

  populateBots(world);
  growFood(world.food, world.rules, world.streams.food, world.tide);
  regrowViruses(world);
  updateCentres(world);
  if (!isCalm) decideTide(world);
  watchBeacons(world);
  world.clock.tick++;
  return takeEvents(world);
}

function takeEvents(world: World): readonly ArenaEvent[] {
  return world.events.length === 0 ? NO_EVENTS : world.events.splice(0);
}

const NO_EVENTS: readonly ArenaEvent[] = [];
