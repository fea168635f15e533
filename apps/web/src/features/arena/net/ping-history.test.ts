import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectionMetrics, PING, type PingHistory, recordPing, recordPong } from './ping-history.ts';

/** One ping every 3 s; undefined stands for an answer that never comes. */
function play(roundTripsMs: readonly (number | undefined)[]): { history: PingHistory; endMs: number } {
  let history: PingHistory = [];
  roundTripsMs.forEach((rttMs, id) => {
    const sentMs = id * PING.everyMs;
    history = recordPing(history, id, sentMs);
    if (rttMs !== undefined) history = recordPong(history, id, sentMs + rttMs);
  });
  return { history, endMs: roundTripsMs.length * PING.everyMs + PING.expiresAfterMs };
}

describe('connectionMetrics', () => {
  test('knows nothing at first', () => {
    expect(connectionMetrics([], 0)).toEqual({
      rttMs: 0,
      averageRttMs: 0,
      jitterMs: 0,
      packetLossPercent: 0,
      quality: 'excellent',
      isStable: true,
    });
  });

  test('averages round trips and their changes', () => {
    const { history, endMs } = play([100, 140, 120]);
    expect(connectionMetrics(history, endMs)).toEqual({
      rttMs: 120,
      averageRttMs: 120,
      jitterMs: 30,
      packetLossPercent: 0,
      quality: 'good',
      isStable: true,
    });
  });

  test('counts an unanswered ping as lost only once it has expired', () => {
    const history = recordPing(play([50, 50, 50]).history, 9, 20_000);
    expect(connectionMetrics(history, 30_000).packetLossPercent).toBe(0);
    expect(connectionMetrics(history, 30_001)).toMatchObject({ packetLossPercent: 25, quality: 'critical' });
  });

  test('stays within what was measured', () => {
    const roundTrips = fc.array(fc.option(fc.nat({ max: 9_999 }), { nil: undefined }), { maxLength: 60 });
    fc.assert(
      fc.property(roundTrips, (list) => {
        const { history, endMs } = play(list);
        const answered = list.slice(-PING.historyLength).filter((rttMs) => rttMs !== undefined);
        const metrics = connectionMetrics(history, endMs);
        expect(history.length).toBeLessThanOrEqual(PING.historyLength);
        expect(metrics.averageRttMs).toBeGreaterThanOrEqual(
          Math.min(...answered, 9_999) * (answered.length && 1),
        );
        expect(metrics.averageRttMs).toBeLessThanOrEqual(Math.max(...answered, 0));
        expect(metrics.jitterMs).toBeLessThanOrEqual(Math.max(...answered, 0));
        const seen = Math.min(list.length, PING.historyLength);
        const lossPercent = seen === 0 ? 0 : ((seen - answered.length) / seen) * 100;
        expect(metrics.packetLossPercent).toBeCloseTo(lossPercent);
      }),
    );
  });
});

describe('recordPong', () => {
  const history = recordPing([], 1, 1_000);

  test('ignores unknown, second and late answers', () => {
    expect(recordPong(history, 2, 1_050)).toEqual(history);
    const answered = recordPong(history, 1, 1_050);
    expect(recordPong(answered, 1, 1_900)).toEqual(answered);
    expect(recordPong(history, 1, 11_001)).toEqual(history);
  });

  test('takes a clock that stepped back for no time at all', () => {
    expect(connectionMetrics(recordPong(history, 1, 900), 1_000).rttMs).toBe(0);
  });
});
