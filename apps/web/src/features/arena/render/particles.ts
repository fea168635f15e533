import type { DropletColour } from './textures/droplet-textures.ts';

/** A drop that flies off, slows down and shrinks away. World units and seconds. */
type Drop = {
  colour: DropletColour;
  x: number;
  y: number;
  velocityX: number;
  velocityY: number;
  radius: number;
  ageS: number;
  lifeS: number;
};

export type Particles = {
  /** The first `count` are alive; the rest are kept for reuse. */
  readonly drops: Drop[];
  count: number;
};

export type Burst = {
  readonly x: number;
  readonly y: number;
  readonly colour: DropletColour;
  readonly count: number;
  /** How far from the centre the drops start. */
  readonly spread: number;
  readonly speed: number;
  readonly radius: number;
  readonly lifeS: number;
  /** The direction of the cone that they fly in, and its half angle; all around by default. */
  readonly heading?: number;
  readonly cone?: number;
};

const DRAG_PER_S = 3.2;

export function createParticles(): Particles {
  return { drops: [], count: 0 };
}

/** Adds as many drops as `most` allows in total. */
export function addBurst(particles: Particles, burst: Burst, most: number, random: () => number): void {
  const { heading = 0, cone = Math.PI } = burst;
  for (let i = 0; i < burst.count && particles.count < most; i++) {
    const angle = heading + (random() * 2 - 1) * cone;
    const speed = burst.speed * (0.35 + 0.65 * random());
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const drop = take(particles);
    drop.colour = burst.colour;
    drop.x = burst.x + cos * burst.spread * random();
    drop.y = burst.y + sin * burst.spread * random();
    drop.velocityX = cos * speed;
    drop.velocityY = sin * speed;
    drop.radius = burst.radius * (0.4 + 0.6 * random());
    drop.ageS = 0;
    drop.lifeS = burst.lifeS * (0.6 + 0.4 * random());
  }
}

export function stepParticles(particles: Particles, elapsedMs: number): void {
  const elapsedS = Math.min(0.1, elapsedMs / 1000);
  const kept = Math.exp(-DRAG_PER_S * elapsedS);
  const { drops } = particles;
  for (let i = 0; i < particles.count; ) {
    const drop = drops[i]!;
    drop.ageS += elapsedS;
    if (drop.ageS >= drop.lifeS) {
      particles.count--;
      drops[i] = drops[particles.count]!;
      drops[particles.count] = drop;
      continue;
    }
    drop.x += drop.velocityX * elapsedS;
    drop.y += drop.velocityY * elapsedS;
    drop.velocityX *= kept;
    drop.velocityY *= kept;
    i++;
  }
}

function take(particles: Particles): Drop {
  let drop = particles.drops[particles.count];
  if (!drop) {
    drop = { colour: 0, x: 0, y: 0, velocityX: 0, velocityY: 0, radius: 0, ageS: 0, lifeS: 0 };
    particles.drops.push(drop);
  }
  particles.count++;
  return drop;
}
