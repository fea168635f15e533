import type { EndReason } from '../events.ts';
import { CONNECTED } from '../players.ts';
import type { World } from '../world.ts';
import { refundDeparted, returnBounty } from './bounty.ts';
import { holdPortalsOpen } from './portal-waves.ts';

/** Removes players who did not reconnect in time. */
export function removeDeparted(world: World): void {
  const { players, clock } = world;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player]) continue;
    const departsAtTick = players.departsAtTick[player]!;
    if (departsAtTick !== CONNECTED && clock.tick >= departsAtTick) refundDeparted(world, player);
  }
}

/** Runs an announced closing: reports the time left every minute, opens the portals, then ends the match. */
export function advanceClosing(world: World): void {
  const { clock, rules, stepRules, events } = world;
  if (clock.closesAtTick < 0) return;
  const ticksLeft = clock.closesAtTick - clock.tick;
  if (ticksLeft <= 0) {
    endMatch(world, 'closed');
    return;
  }
  if (ticksLeft % (60 * rules.stepsPerSecond) === 0) {
    events.push({ type: 'closing', secondsLeft: ticksLeft / rules.stepsPerSecond });
  }
  if (ticksLeft <= stepRules.closingPortalTicks) holdPortalsOpen(world, clock.closesAtTick);
}

/** Returns every living player's bounty; after that the world accepts no commands. */
export function endMatch(world: World, reason: EndReason): void {
  const { players, clock, money, events } = world;
  for (let player = 0; player < players.top; player++) {
    if (players.isAlive[player]) returnBounty(world, player, reason);
  }
  clock.isEnded = true;
  events.push({ type: 'ended', reason, spillKept: money.spill });
}
