import { rebuildGrid } from '../grid.ts';
import { randomBelow, randomBetween } from '../random.ts';
import { shoreOf } from '../tide.ts';
import type { World } from '../world.ts';
import { headForNewcomer } from './companions.ts';
import { headAway, noticesDanger } from './escape.ts';
import { headForPortal, lurkAtPortal, wantsToCashOut } from './exit.ts';
import { heading, setHeading } from './heading.ts';
import { headForPrey, shootVirus } from './hunt.ts';
import { lookAround, type Sight } from './sight.ts';
import { type Temperament, temperamentOf } from './temperament.ts';

/** Bots take turns thinking, a few times a second each, and produce the same inputs as a person. */
export function steerBots(world: World): void {
  const { players, bodies, grid, stepRules, clock } = world;
  if (players.botCount === 0) return;
  rebuildGrid(grid, bodies);
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || !players.isBot[player]) continue;
    if ((clock.tick + player) % stepRules.botThinkTicks === 0)
      thinkAs(world, player, temperamentOf(players, player));
  }
}

/** One decision. The grid must be that of the bodies. */
export function thinkAs(world: World, player: number, temperament: Temperament): void {
  const { players, bodies, streams } = world;
  if (randomBelow(streams.bots, 100) < temperament.slipsPercent) return;
  const sight = lookAround(world, player, temperament.confidence);
  heading.fill(0);
  setHeading(players.offsetX[player]!, players.offsetY[player]!);
  decide(world, player, sight, temperament);
  const stray = randomBetween(streams.bots, -temperament.wobble, temperament.wobble);
  setHeading(heading[0]! - heading[1]! * stray, heading[1]! + heading[0]! * stray);
  setHeading(heading[0]! + sight.dodgeX * 2, heading[1]! + sight.dodgeY * 2);
  const reach = bodies.radius[sight.cell]! + 400;
  players.offsetX[player] = heading[0]! * reach;
  players.offsetY[player] = heading[1]! * reach;
}

function decide(world: World, player: number, sight: Sight, temperament: Temperament): void {
  const { bodies } = world;
  if (noticesDanger(world, player, sight, temperament)) headAway(world, sight);
  else if (wantsToCashOut(world, player, temperament)) headForPortal(world, player);
  else if (isBeyondTide(world, sight.cell)) headForMiddle(world, player);
  else if (headForNewcomer(world, player)) return;
  else if (temperament.shootsViruses && shootVirus(world, player, sight)) return;
  else if (headForPrey(world, player, sight, temperament)) return;
  else if (lurkAtPortal(world, player, temperament)) return;
  else if (sight.hasFood) {
    setHeading(sight.foodX - bodies.x[sight.cell]!, sight.foodY - bodies.y[sight.cell]!);
  } else headForMiddle(world, player);
}

function headForMiddle({ players, rules }: World, player: number): void {
  const middle = rules.worldSize / 2;
  setHeading(middle - players.centreX[player]!, middle - players.centreY[player]!);
}

/** Whether the water is coming in and will reach this cell. */
function isBeyondTide({ bodies, rules, tide }: World, cell: number): boolean {
  if (tide.goal >= tide.size) return false;
  const near = shoreOf(rules, tide.goal) + bodies.radius[cell]!;
  const far = rules.worldSize - near;
  const x = bodies.x[cell]!;
  const y = bodies.y[cell]!;
  return x < near || x > far || y < near || y > far;
}
