import { describe, expect, test } from 'vitest';
import { judge } from './web-goals.ts';

const quiet = { hasGraphicsCard: true, loadBefore: 0 };

function verdicts(...args: Parameters<typeof judge>): Record<string, string> {
  return Object.fromEntries(judge(...args).map(({ figure, verdict }) => [figure, verdict]));
}

describe('the goals of bench:web', () => {
  test('are met at the limit and missed beyond it', () => {
    const figures = { scriptMsP50: 1.5, scriptMsP95: 4.01, longTasksOver50: 0 };
    expect(verdicts('play', figures, quiet)).toEqual({
      scriptMsP50: 'pass',
      scriptMsP95: 'miss',
      longTasksOver50: 'pass',
    });
  });

  test('ask a recording for at least sixty frames a second', () => {
    expect(verdicts('replay', { framesPerSecond: 59 }, quiet)['framesPerSecond']).toBe('miss');
    expect(verdicts('replay', { framesPerSecond: 60 }, quiet)['framesPerSecond']).toBe('pass');
  });

  test('do not judge long tasks without a graphics card', () => {
    const software = { ...quiet, hasGraphicsCard: false };
    expect(verdicts('play', { longTasksOver50: 0 }, software)['longTasksOver50']).toMatch(/^not judged/);
  });

  test('do not judge a miss on a busy machine, but a pass is one', () => {
    const busy = { ...quiet, loadBefore: 1_000 };
    const judged = verdicts('play', { scriptMsP50: 1, scriptMsP95: 9, longTasksOver50: 3 }, busy);
    expect(judged).toMatchObject({
      scriptMsP50: 'pass',
      longTasksOver50: expect.stringMatching(/^not judged/),
    });
    expect(judged['scriptMsP95']).toMatch(/load 1000\.0/);
  });

  test('miss a figure that was not measured', () => {
    expect(verdicts('replay', {}, quiet)['framesPerSecond']).toBe('miss');
  });
});
