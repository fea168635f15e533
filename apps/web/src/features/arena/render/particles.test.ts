import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../art/paint.ts';
import { addBurst, createParticles, stepParticles } from './particles.ts';

const BURST = { x: 10, y: 20, colour: 3, count: 12, spread: 4, speed: 200, radius: 6, lifeS: 0.5 } as const;

describe('particles', () => {
  test('fly away, slow down and end', () => {
    const particles = createParticles();
    addBurst(particles, { ...BURST, count: 1, spread: 0 }, 10, seededRandom(1));
    const drop = particles.drops[0]!;
    const before = Math.hypot(drop.velocityX, drop.velocityY);
    stepParticles(particles, 100);
    expect(Math.hypot(drop.x - 10, drop.y - 20)).toBeGreaterThan(1);
    expect(Math.hypot(drop.velocityX, drop.velocityY)).toBeLessThan(before);
    for (let frame = 0; frame < 10; frame++) stepParticles(particles, 100);
    expect(particles.count).toBe(0);
  });

  test('are never more than allowed, and drops are reused', () => {
    const particles = createParticles();
    for (let round = 0; round < 50; round++) {
      addBurst(particles, BURST, 25, seededRandom(round));
      expect(particles.count).toBeLessThanOrEqual(25);
      stepParticles(particles, 100);
    }
    expect(particles.drops.length).toBeLessThanOrEqual(25);
  });

  test('none appear where none are allowed', () => {
    const particles = createParticles();
    addBurst(particles, BURST, 0, seededRandom(1));
    expect(particles.count).toBe(0);
  });

  test('a cone keeps its direction', () => {
    const particles = createParticles();
    addBurst(particles, { ...BURST, heading: 0, cone: 0.3 }, 20, seededRandom(5));
    for (const { velocityX, velocityY } of particles.drops) {
      expect(Math.abs(Math.atan2(velocityY, velocityX))).toBeLessThanOrEqual(0.3);
    }
  });
});
