import { portalPhase } from '../portals.ts';
import type { World } from '../world.ts';
import { setHeading } from './heading.ts';
import { cashOutMultiple, type Temperament } from './temperament.ts';

/** A greedy bot stays this near to the portal, and leaves this long before it closes. */
const LURKING_DISTANCE = 500;
const LAST_SECONDS = 8;

export function wantsToCashOut(world: World, player: number, temperament: Temperament): boolean {
  const { players, portals, rules, stepRules, clock } = world;
  if (portals.count === 0 || portalPhase(portals) === 'disappearing') return false;
  const multiple = Number(players.bounty[player]!) / Number(players.stake[player]! || 1n);
  const isGiant = players.massMilli[player]! >= stepRules.giantMassMilli;
  if (!isGiant && multiple < cashOutMultiple(rules, temperament)) return false;
  if (isGiant || !temperament.isGreedy) return true;
  const secondsLeft = (portals.phaseEndsAtTick - clock.tick) / rules.stepsPerSecond;
  return portalPhase(portals) === 'active' && secondsLeft < LAST_SECONDS;
}

/** A greedy bot waits near an announced portal for those who want to leave. */
export function lurkAtPortal(world: World, player: number, { isGreedy }: Temperament): boolean {
  return isGreedy && headForPortal(world, player, LURKING_DISTANCE);
}

/** Heads for the nearest portal, unless it is nearer than `least`. */
export function headForPortal(world: World, player: number, least = 0): boolean {
  const { players, portals } = world;
  let nearest = Infinity;
  let wayX = 0;
  let wayY = 0;
  for (let portal = 0; portal < portals.count; portal++) {
    const dx = portals.x[portal]! - players.centreX[player]!;
    const dy = portals.y[portal]! - players.centreY[player]!;
    const squared = dx * dx + dy * dy;
    if (squared >= nearest) continue;
    nearest = squared;
    wayX = dx;
    wayY = dy;
  }
  if (nearest === Infinity || nearest < least * least) return false;
  setHeading(wayX, wayY);
  return true;
}
