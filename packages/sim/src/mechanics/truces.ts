import { CONNECTED } from '../players.ts';
import { isTruce } from '../truce.ts';
import type { World } from '../world.ts';

/** Holds all clocks by a step while there is a truce, and ends it in time. Returns whether there is one in this step. */
export function keepTruce(world: World): boolean {
  const { truce, clock } = world;
  if (!isTruce(truce)) return false;
  if (clock.tick >= truce.endsAtTick) {
    endTruce(world);
    return false;
  }
  holdClocks(world);
  return true;
}

/** Nobody profits from where the others stood meanwhile: for a moment nobody eats anybody. */
export function endTruce(world: World): void {
  const { truce, players, stepRules, clock, events } = world;
  truce.endsAtTick = -1;
  const untilTick = clock.tick + stepRules.parleyTicks;
  for (let player = 0; player < players.top; player++) {
    if (players.isAlive[player] && players.invulnerableUntilTick[player]! < untilTick)
      players.invulnerableUntilTick[player] = untilTick;
  }
  events.push({ type: 'truce', secondsLeft: 0 });
}

function holdClocks({ players, newcomers, portals, tide, clock }: World): void {
  portals.phaseEndsAtTick++;
  // The water goes out, but does not come in.
  tide.isHeld = tide.goal < tide.size;
  if (clock.closesAtTick >= 0) clock.closesAtTick++;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player]) continue;
    players.invulnerableUntilTick[player]!++;
    newcomers.shelteredUntilTick[player]!++;
    if (players.departsAtTick[player] !== CONNECTED) players.departsAtTick[player]!++;
  }
}
