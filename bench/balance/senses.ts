import { playerZoom, REFERENCE_SCREEN } from '@engulf/netcode/camera';
import { BODY } from '@engulf/sim/bodies';
import { primaryCell } from '@engulf/sim/cells';
import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { isInvulnerable } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';

/** The rectangle that a player sees on a screen of 16 to 9, from its middle. */
export function viewOf({ players }: World, player: number): { halfWidth: number; halfHeight: number } {
  const zoom = playerZoom(players.massMilli[player]! / MILLI);
  return {
    halfWidth: REFERENCE_SCREEN.widthPx / zoom / 2,
    halfHeight: REFERENCE_SCREEN.heightPx / zoom / 2,
  };
}

/** Whether any part of another player's cell is in a player's view. */
export function seesAnybody(world: World, player: number): boolean {
  const { players, bodies } = world;
  const { halfWidth, halfHeight } = viewOf(world, player);
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] !== BODY.cell || bodies.owner[body] === player) continue;
    const radius = bodies.radius[body]!;
    if (Math.abs(bodies.x[body]! - players.centreX[player]!) - radius > halfWidth) continue;
    if (Math.abs(bodies.y[body]! - players.centreY[player]!) - radius <= halfHeight) return true;
  }
  return false;
}

/** What somebody notices who looks at the screen. */
export type Senses = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The largest own cell, in thousandths. */
  readonly massMilli: number;
  /** Away from everybody who could eat the player, the nearer the stronger, and the smallest gap to one of them. */
  readonly awayX: number;
  readonly awayY: number;
  readonly dangerGap: number;
  /** The nearest cell that the player could eat. */
  readonly prey:
    | { readonly x: number; readonly y: number; readonly gap: number; readonly massMilli: number }
    | undefined;
  readonly crumb: { readonly x: number; readonly y: number } | undefined;
};

/** `isFriend` names players who are neither feared nor hunted. */
export function lookFrom(world: World, player: number, isFriend: (slot: number) => boolean): Senses {
  const { players, bodies, rules, clock } = world;
  const own = primaryCell(world, player);
  const x = bodies.x[own]!;
  const y = bodies.y[own]!;
  const radius = bodies.radius[own]!;
  const massMilli = bodies.massMilli[own]!;
  const { halfWidth, halfHeight } = viewOf(world, player);
  let [awayX, awayY, dangerGap] = [0, 0, Infinity];
  let prey: Senses['prey'];
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] !== BODY.cell) continue;
    const owner = bodies.owner[body]!;
    if (owner === player || isFriend(owner) || isInvulnerable(players, owner, clock.tick)) continue;
    const dx = bodies.x[body]! - x;
    const dy = bodies.y[body]! - y;
    const other = bodies.radius[body]!;
    if (Math.abs(dx) - other > halfWidth || Math.abs(dy) - other > halfHeight) continue;
    const distance = Math.sqrt(dx * dx + dy * dy) + 1;
    const gap = Math.max(1, distance - other - radius);
    const otherMilli = bodies.massMilli[body]!;
    if (otherMilli >= massMilli * rules.eating.massRatio) {
      dangerGap = Math.min(dangerGap, gap);
      awayX -= dx / distance / gap;
      awayY -= dy / distance / gap;
    } else if (massMilli >= otherMilli * rules.eating.massRatio * 1.05 && gap < (prey?.gap ?? Infinity)) {
      prey = { x: bodies.x[body]!, y: bodies.y[body]!, gap, massMilli: otherMilli };
    }
  }
  return { x, y, radius, massMilli, awayX, awayY, dangerGap, prey, crumb: nearestCrumb(world, x, y, radius) };
}

function nearestCrumb({ food }: World, x: number, y: number, radius: number): Senses['crumb'] {
  const reach = radius + FOOD_CHUNK;
  const last = food.chunksPerSide - 1;
  const chunkOf = (at: number) => Math.min(last, Math.max(0, Math.floor(at / FOOD_CHUNK)));
  let crumb: Senses['crumb'];
  let best = 0;
  for (let row = chunkOf(y - reach); row <= chunkOf(y + reach); row++) {
    for (let column = chunkOf(x - reach); column <= chunkOf(x + reach); column++) {
      const chunk = row * food.chunksPerSide + column;
      const first = chunk * FOOD_SLOTS;
      for (let place = first; place < first + food.chunkTop[chunk]!; place++) {
        if (food.mass[place] === 0) continue;
        const at = {
          x: column * FOOD_CHUNK + food.offsetX[place]!,
          y: row * FOOD_CHUNK + food.offsetY[place]!,
        };
        const score = food.mass[place]! / (Math.hypot(at.x - x, at.y - y) + 40);
        if (score <= best) continue;
        best = score;
        crumb = at;
      }
    }
  }
  return crumb;
}
