import { applyCommand } from '@engulf/sim/commands';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { type Rules, standardRules } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import { createChance, type Line } from './line.ts';
import { place } from './placing.ts';
import { join, playSession } from './session.ts';

/** One flees, one hunts and splits to catch it. */
const RULES: Rules = {
  ...standardRules,
  viruses: { ...standardRules.viruses, count: 0 },
  food: { ...standardRules.food, count: 200 },
  spawn: { ...standardRules.spawn, invulnerableSeconds: 0.04 },
};
const HUNTER_MASS = 320;
const HUNTS_FROM_WORLD = 400;
/** From here a split catches the prey. */
const SPLITS_WITHIN_WORLD = 450;
/** The hunter appears when the prey is well on its way. */
const AMBUSH_TICK = 28;
const MAX_SECONDS = 6;
/** The eater may have this far to go before it covers enough of the prey. */
const AFAR_FROM_WORLD = 60;

/** The share of deaths in which the eater was shown too far away to have eaten, in percent. */
export function measureDeaths(line: Line, seed: number, deaths: number): number {
  const distances: number[] = [];
  for (let death = 0; distances.length < deaths && death < 3 * deaths; death++) {
    const distance = playDeath(line, seed + death * 17);
    if (distance !== undefined) distances.push(distance);
  }
  return (distances.filter((distance) => distance > AFAR_FROM_WORLD).length / distances.length) * 100;
}

/** How far the eater had to go in the last frame that showed the prey; undefined if the prey got away. */
function playDeath(line: Line, seed: number): number | undefined {
  const chance = createChance(seed + 5);
  const angle = chance() * 2 * Math.PI;
  let hunter: PlayerId | undefined;
  let toGo: number | undefined;
  let isShown = false;
  let isOver = false;
  playSession(
    { line, rules: RULES, seed, seconds: MAX_SECONDS },
    (world, player) => {
      const middle = RULES.worldSize / 2;
      place(world, player, middle, middle, 40);
      hunter = join(world);
      place(world, hunter, 0, 0, HUNTER_MASS);
    },
    {
      // Runs away, but not straight.
      pointer: (nowMs) => ({
        x: -Math.cos(angle + Math.sin(nowMs / 300)) * 400,
        y: -Math.sin(angle + Math.sin(nowMs / 300)) * 400,
      }),
      onTick({ world, slot }) {
        if (world.clock.tick === AMBUSH_TICK) approach(world, hunter!, slot, chance() * 2 * Math.PI);
        if (world.clock.tick >= AMBUSH_TICK) hunt(world, hunter!, slot, chance);
      },
      onFrame({ own, cells }) {
        if (own) {
          isShown = true;
          const { x, y, radius } = own.primary;
          const eaters = cells.filter(({ isOwn }) => !isOwn);
          toGo = Math.min(
            ...eaters.map(
              (eater) =>
                Math.hypot(eater.x - x, eater.y - y) - (eater.radius - radius * RULES.eating.preyDepth),
            ),
          );
        } else if (isShown) isOver = true;
      },
      isOver: () => isOver,
    },
  );
  return isOver ? toGo : undefined;
}

function approach(world: World, hunter: PlayerId, prey: number, angle: number): void {
  const { players } = world;
  const x = players.centreX[prey]! + Math.cos(angle) * HUNTS_FROM_WORLD;
  const y = players.centreY[prey]! + Math.sin(angle) * HUNTS_FROM_WORLD;
  place(world, hunter, x, y, HUNTER_MASS);
}

function hunt(world: World, hunter: PlayerId, prey: number, chance: () => number): void {
  const { players } = world;
  const slot = findPlayer(players, hunter);
  if (slot < 0 || players.isAlive[prey] === 0) return;
  const x = Math.round(players.centreX[prey]! - players.centreX[slot]!);
  const y = Math.round(players.centreY[prey]! - players.centreY[slot]!);
  applyCommand(world, { type: 'steer', player: hunter, x, y });
  const isNear = Math.hypot(x, y) < SPLITS_WITHIN_WORLD;
  if (isNear && players.cellCount[slot]! < 3 && chance() < 0.2) {
    applyCommand(world, { type: 'split', player: hunter });
  }
}
