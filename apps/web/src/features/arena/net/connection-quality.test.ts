import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CONNECTION_QUALITIES,
  type ConnectionFigures,
  type ConnectionQuality,
  connectionQuality,
  isStableQuality,
  RENDER_SETTINGS,
} from './connection-quality.ts';

const figures = (averageRttMs: number, jitterMs: number, packetLossPercent: number): ConnectionFigures => ({
  averageRttMs,
  jitterMs,
  packetLossPercent,
});

describe('connectionQuality', () => {
  test.each<[number, number, number, ConnectionQuality]>([
    [0, 0, 0, 'excellent'],
    [100, 25, 2, 'excellent'],
    [101, 0, 0, 'good'],
    [0, 26, 0, 'good'],
    [0, 0, 2.1, 'good'],
    [200, 50, 5, 'good'],
    [201, 0, 0, 'fair'],
    [0, 51, 0, 'fair'],
    [0, 0, 5.1, 'fair'],
    [500, 100, 10, 'fair'],
    [501, 0, 0, 'poor'],
    [0, 101, 0, 'poor'],
    [0, 0, 11, 'poor'],
    [1000, 200, 20, 'poor'],
    [1001, 0, 0, 'critical'],
    [0, 201, 0, 'critical'],
    [0, 0, 21, 'critical'],
  ])('at %d ms, jitter %d, loss %d %% is %s', (rtt, jitter, loss, quality) => {
    expect(connectionQuality(figures(rtt, jitter, loss))).toBe(quality);
  });

  test('never gets better when a figure gets worse', () => {
    const rank = (some: ConnectionFigures) => CONNECTION_QUALITIES.indexOf(connectionQuality(some));
    const any = fc.tuple(fc.nat(2000), fc.nat(400), fc.nat(100));
    fc.assert(
      fc.property(any, any, ([rtt, jitter, loss], [moreRtt, moreJitter, moreLoss]) => {
        const before = rank(figures(rtt, jitter, loss));
        expect(rank(figures(rtt + moreRtt, jitter + moreJitter, loss + moreLoss))).toBeGreaterThanOrEqual(
          before,
        );
      }),
    );
  });
});

describe('what follows from a quality', () => {
  test('only the last two trouble the player', () => {
    expect(CONNECTION_QUALITIES.filter((quality) => !isStableQuality(quality))).toEqual(['poor', 'critical']);
  });

  test('a worse one is never asked for more', () => {
    const settings = CONNECTION_QUALITIES.map((quality) => RENDER_SETTINGS[quality]);
    settings.slice(1).forEach((worse, index) => {
      const better = settings[index]!;
      expect(worse.updatesPerSecond).toBeLessThan(better.updatesPerSecond);
      expect(worse.viewDistanceWorld).toBeLessThan(better.viewDistanceWorld);
      expect(worse.maxParticles).toBeLessThan(better.maxParticles);
    });
    expect(settings.map((row) => row.hasEffects)).toEqual([true, true, false, false, false]);
  });
});
