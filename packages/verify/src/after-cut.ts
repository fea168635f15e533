import { primaryCell } from '@engulf/sim/cells';
import { steeringReach } from '@engulf/sim/movement';
import { CONNECTED } from '@engulf/sim/players';
import { portalPhase } from '@engulf/sim/portals';
import type { World } from '@engulf/sim/world';

/**
 * How much of a match may be missing from a recording that was cut: the five seconds of a segment, and one in which the
 * last segment was on its way to the storage.
 */
export const MISSING_SECONDS = 6;

/** What the rules allow in the seconds that are missing, by entry. Wide, because nobody knows what players did. */
export type AfterCut = {
  /** Who may have eaten whom. */
  readonly eatersOf: ReadonlyMap<string, readonly string[]>;
  /** Who may have left through a portal. */
  readonly exits: ReadonlySet<string>;
  /** Whose line was down, and for whom it may have become too late to come back. */
  readonly departures: ReadonlySet<string>;
  /** Of the spill, all together. */
  readonly mostShared: bigint;
  /** Whether somebody who joined then can neither eat nor be eaten. */
  readonly areNewcomersSafe: boolean;
};

export function whatMayFollow(world: World, livingEntries: ReadonlyMap<string, number>): AfterCut {
  const { players, rules, stepRules, clock } = world;
  const ticks = MISSING_SECONDS * rules.stepsPerSecond;
  const untilTick = clock.tick + ticks;
  const living = [...livingEntries];
  const eatersOf = new Map<string, string[]>();
  const departures = new Set<string>();
  for (const [victim, prey] of living) {
    const eaters = living.filter(([, eater]) => eater !== prey && canEat(world, eater, prey, ticks));
    eatersOf.set(
      victim,
      eaters.map(([entry]) => entry),
    );
    const departsAtTick = players.departsAtTick[prey]!;
    if (departsAtTick !== CONNECTED && departsAtTick <= untilTick) departures.add(victim);
  }
  const exits = living.filter(([, player]) => canExit(world, player, ticks)).map(([entry]) => entry);
  return {
    eatersOf,
    exits: new Set(exits),
    departures,
    mostShared: mostShared(world),
    areNewcomersSafe: stepRules.invulnerableTicks >= ticks,
  };
}

function canEat(world: World, eater: number, prey: number, ticks: number): boolean {
  const { players, bodies, rules, clock } = world;
  const lastTick = clock.tick + ticks;
  if (players.invulnerableUntilTick[eater]! > lastTick || players.invulnerableUntilTick[prey]! > lastTick) {
    return false;
  }
  for (const large of cellsOf(world, eater)) {
    for (const small of cellsOf(world, prey)) {
      const timesHeavier = bodies.massMilli[large]! / (bodies.massMilli[small]! * rules.eating.massRatio);
      if (timesHeavier < 1) continue;
      // Each split halves what is thrown.
      const splits = Math.min(rules.splitting.maxQueued, Math.floor(Math.log2(timesHeavier)));
      const reach = runOf(world, large, ticks) + runOf(world, small, ticks) + splits * throwOf(world);
      if (distance(world, large, bodies.x[small]!, bodies.y[small]!) <= reach + bodies.radius[large]!)
        return true;
    }
  }
  return false;
}

function canExit(world: World, player: number, ticks: number): boolean {
  const { portals, rules, stepRules, clock } = world;
  const isClosing =
    clock.closesAtTick >= 0 && clock.closesAtTick - clock.tick <= stepRules.closingPortalTicks + ticks;
  if (isClosing) return true;
  const phase = portalPhase(portals);
  const isOpen = phase === 'active' || (phase === 'warning' && portals.phaseEndsAtTick <= clock.tick + ticks);
  if (!isOpen) return false;
  const cell = primaryCell(world, player);
  const reach = runOf(world, cell, ticks) + rules.splitting.maxQueued * throwOf(world) + rules.portals.radius;
  for (let portal = 0; portal < portals.count; portal++) {
    if (distance(world, cell, portals.x[portal]!, portals.y[portal]!) <= reach) return true;
  }
  return false;
}

/** It is shared at most twice in this time. */
function mostShared({ money, rules, players }: World): bigint {
  const { part, leastShare, everySeconds } = rules.spill;
  const due = money.spill / BigInt(part);
  const isAll = everySeconds === 0 || due < BigInt(leastShare) * BigInt(Math.max(1, players.livingCount));
  return isAll || 2n * due > money.spill ? money.spill : 2n * due;
}

function cellsOf({ players, rules }: World, player: number): Int32Array {
  const first = player * rules.maxCellsPerPlayer;
  return players.cells.subarray(first, first + players.cellCount[player]!);
}

function runOf({ bodies, stepRules }: World, cell: number, ticks: number): number {
  return ticks * steeringReach(stepRules.speedByRadius, stepRules.stepSeconds, bodies.radius[cell]!);
}

/** How far a launch carries until it has faded. */
function throwOf({ rules }: World): number {
  return rules.splitting.launchSpeed / rules.boost.decayPerSecond;
}

function distance({ bodies }: World, body: number, x: number, y: number): number {
  return Math.hypot(bodies.x[body]! - x, bodies.y[body]! - y);
}
