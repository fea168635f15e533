import { describe, expect, test } from 'vitest';
import { measureNewcomers, measurePopulation, measureTable } from './measure.ts';
import { WAYS } from './ways.ts';

/*
 * The goals of docs/balance.md, with fewer and shorter matches than `npm run bench:balance` plays. Nothing here is up to
 * chance: the same seeds give the same figures.
 */

describe('the arena', { timeout: 120_000 }, () => {
  test.each([
    [2, 12],
    [3, 6],
    [5, 4],
    [10, 2],
    [25, 1],
    [50, 1],
  ])('has somebody in view most of the time and soon, with %i players', (players, seeds) => {
    const figures = measurePopulation(players, { seeds, seconds: 300, warmUpSeconds: 90 });
    expect(figures.inViewPct).toBeGreaterThanOrEqual(60);
    expect(figures.firstMeetingSeconds).toBeLessThanOrEqual(15);
    expect(figures.killsPerPlayerMinute).toBeGreaterThan(0.1);
  });

  test('favours no way of playing far more than another among those who know the game', () => {
    const ways = measureTable({ seeds: 8, seconds: 600, warmUpSeconds: 0 });
    const returnOf = (name: string) => ways.find((way) => way.name === name)!;
    for (const name of ['careful', 'coward', 'camper', 'hunter', 'pair']) {
      const { returnPerOne, plusMinus } = returnOf(name);
      // Few matches: within two standard errors.
      expect(returnPerOne - 2 * plusMinus).toBeLessThan(1.15);
      expect(returnPerOne + 2 * plusMinus).toBeGreaterThan(0.75);
    }
    expect(returnOf('coward').returnPerOne).toBeLessThanOrEqual(1);
    const { returnPerOne: single, plusMinus } = returnOf('careful');
    expect(returnOf('pair').returnPerOne - returnOf('pair').plusMinus).toBeLessThan(single + plusMinus);
  });

  test('is kind to newcomers in free lobbies', () => {
    const [wanderer] = measureNewcomers({ seeds: 4, seconds: 600 }, [WAYS.wanderer]);
    expect(wanderer!.lifeSecondsP50).toBeGreaterThanOrEqual(60);
    expect(wanderer!.ateSomebodyPct).toBeGreaterThanOrEqual(66);
    const [careful] = measureNewcomers({ seeds: 2, seconds: 600 }, [WAYS.careful]);
    expect(careful!.reachedPortalPct).toBeGreaterThanOrEqual(50);
  });

  test('gives the same figures for the same seeds', () => {
    const effort = { seeds: 1, seconds: 60, warmUpSeconds: 10 };
    expect(measurePopulation(5, effort)).toEqual(measurePopulation(5, effort));
    expect(measureTable(effort)).toEqual(measureTable(effort));
  });
});
