import { BODY } from '../bodies.ts';
import { primaryCell } from '../cells.ts';
import { FOOD_CHUNK, FOOD_SLOTS } from '../food.ts';
import { gridIndex } from '../grid.ts';
import { isSheltered } from '../mechanics/newcomers.ts';
import { isInvulnerable } from '../players.ts';
import type { World } from '../world.ts';

const GIVES_WAY_WITHIN = 450;

/** What a bot sees around it: directions to flee from, and the best target of each kind. */
export type Sight = {
  cell: number;
  /** Sum of pushes away from cells that could eat the bot, and the gap to the nearest of them. */
  fleeX: number;
  fleeY: number;
  dangerGap: number;
  /** The nearest cell that could eat the bot, and the nearest virus, or -1. */
  threat: number;
  virus: number;
  virusDistance: number;
  /** The most rewarding cell to hunt, or -1. */
  prey: number;
  preyScore: number;
  /** Push away from viruses that would burst the bot. */
  dodgeX: number;
  dodgeY: number;
  hasFood: boolean;
  foodX: number;
  foodY: number;
};

const sight: Sight = {
  cell: 0,
  fleeX: 0,
  fleeY: 0,
  dangerGap: Infinity,
  threat: -1,
  virus: -1,
  virusDistance: Infinity,
  prey: -1,
  preyScore: 0,
  dodgeX: 0,
  dodgeY: 0,
  hasFood: false,
  foodX: 0,
  foodY: 0,
};

/**
 * Looks around a bot's largest cell. A confident bot takes more cells for prey. The result is valid until the next
 * call.
 */
export function lookAround(world: World, player: number, confidence: number): Sight {
  sight.cell = primaryCell(world, player);
  sight.fleeX = 0;
  sight.fleeY = 0;
  sight.dangerGap = Infinity;
  sight.threat = -1;
  sight.virus = -1;
  sight.virusDistance = Infinity;
  sight.prey = -1;
  sight.preyScore = 0;
  sight.dodgeX = 0;
  sight.dodgeY = 0;
  seeBodies(world, player, confidence);
  seeFood(world);
  return sight;
}

function seeBodies(world: World, player: number, confidence: number): void {
  const { bodies, grid, rules } = world;
  const { side, starts, items } = grid;
  const cx = bodies.x[sight.cell]!;
  const cy = bodies.y[sight.cell]!;
  const reach = rules.bots.sight + bodies.radius[sight.cell]!;
  const column0 = gridIndex(cx - reach, side);
  const column1 = gridIndex(cx + reach, side);
  const row1 = gridIndex(cy + reach, side);
  for (let row = gridIndex(cy - reach, side); row <= row1; row++) {
    const end = starts[row * side + column1 + 1]!;
    for (let k = starts[row * side + column0]!; k < end; k++) {
      const body = items[k]!;
      const kind = bodies.kind[body];
      if (kind === BODY.cell && bodies.owner[body] !== player) judgeCell(world, player, body, confidence);
      else if (kind === BODY.virus) judgeVirus(world, player, body);
    }
  }
}

function judgeCell(world: World, player: number, other: number, confidence: number): void {
  const { bodies, players, newcomers, rules, clock } = world;
  const owner = bodies.owner[other]!;
  const isSpared = isSheltered(world, owner);
  if (isInvulnerable(players, owner, clock.tick) && !isSpared) return;
  const dx = bodies.x[other]! - bodies.x[sight.cell]!;
  const dy = bodies.y[other]! - bodies.y[sight.cell]!;
  const distance = Math.sqrt(dx * dx + dy * dy) + 1;
  const ownMilli = bodies.massMilli[sight.cell]!;
  const otherMilli = bodies.massMilli[other]!;
  if (isSpared) {
    if (ownMilli >= otherMilli * rules.eating.massRatio)
      giveWay(world, dx / distance, dy / distance, distance);
    if (newcomers.isCompanion[player] || ownMilli >= otherMilli) return;
  }
  if (otherMilli >= ownMilli * rules.eating.massRatio) {
    const gap = Math.max(1, distance - bodies.radius[other]!);
    if (gap < sight.dangerGap) {
      sight.dangerGap = gap;
      sight.threat = other;
    }
    sight.fleeX -= dx / distance / gap;
    sight.fleeY -= dy / distance / gap;
  } else if (ownMilli * confidence >= otherMilli * rules.eating.massRatio) {
    const score = otherMilli / (distance + 100);
    if (score > sight.preyScore) {
      sight.prey = other;
      sight.preyScore = score;
    }
  }
}

/** Keeps a bot out of the way of a newcomer that it could eat. */
function giveWay({ bodies }: World, towardsX: number, towardsY: number, distance: number): void {
  const gap = distance - bodies.radius[sight.cell]!;
  if (gap > GIVES_WAY_WITHIN) return;
  const push = 2 * (1 - gap / GIVES_WAY_WITHIN);
  sight.dodgeX -= towardsX * push;
  sight.dodgeY -= towardsY * push;
}

function judgeVirus(world: World, player: number, virus: number): void {
  const { bodies, players, rules } = world;
  const dx = bodies.x[virus]! - bodies.x[sight.cell]!;
  const dy = bodies.y[virus]! - bodies.y[sight.cell]!;
  const distance = Math.sqrt(dx * dx + dy * dy) + 1;
  if (distance < sight.virusDistance) {
    sight.virus = virus;
    sight.virusDistance = distance;
  }
  const hasRoom = players.cellCount[player]! < rules.maxCellsPerPlayer;
  if (!hasRoom || !wouldBurst(world, sight.cell, virus)) return;
  const gap = distance - bodies.radius[sight.cell]!;
  if (gap > 140) return;
  const push = (140 - gap) / 140;
  sight.dodgeX -= (dx / distance) * push;
  sight.dodgeY -= (dy / distance) * push;
}

export function wouldBurst({ bodies, rules }: World, cell: number, virus: number): boolean {
  return bodies.massMilli[cell]! >= bodies.massMilli[virus]! * rules.eating.massRatio;
}

function seeFood(world: World): void {
  const { bodies, food } = world;
  const cx = bodies.x[sight.cell]!;
  const cy = bodies.y[sight.cell]!;
  const ahead = bodies.radius[sight.cell]! + FOOD_CHUNK;
  const last = food.chunksPerSide - 1;
  const column0 = Math.max(0, ((cx - ahead) / FOOD_CHUNK) | 0);
  const column1 = Math.min(last, ((cx + ahead) / FOOD_CHUNK) | 0);
  const row0 = Math.max(0, ((cy - ahead) / FOOD_CHUNK) | 0);
  const row1 = Math.min(last, ((cy + ahead) / FOOD_CHUNK) | 0);
  let bestScore = 0;
  for (let row = row0; row <= row1; row++) {
    for (let column = column0; column <= column1; column++) {
      const chunk = row * food.chunksPerSide + column;
      const first = chunk * FOOD_SLOTS;
      for (let place = first; place < first + food.chunkTop[chunk]!; place++) {
        const mass = food.mass[place]!;
        if (mass === 0) continue;
        const x = column * FOOD_CHUNK + food.offsetX[place]!;
        const y = row * FOOD_CHUNK + food.offsetY[place]!;
        const dx = x - cx;
        const dy = y - cy;
        const score = mass / (Math.sqrt(dx * dx + dy * dy) + 40);
        if (score <= bestScore) continue;
        bestScore = score;
        sight.foodX = x;
        sight.foodY = y;
      }
    }
  }
  sight.hasFood = bestScore > 0;
}
