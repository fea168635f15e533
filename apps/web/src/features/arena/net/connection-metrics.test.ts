import { CONNECTION_QUALITIES, type ConnectionQuality } from '@engulf/protocol/room/connection-quality';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ConnectionFigures,
  type ConnectionMetrics,
  connectionMetrics,
  connectionQuality,
  isStableQuality,
  PING,
  type PingHistory,
  recordPing,
  recordPong,
  startPinger,
} from './connection-metrics.ts';

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

  test('never improves when a figure gets worse', () => {
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

describe('isStableQuality', () => {
  test('is false for poor and critical connections only', () => {
    expect(CONNECTION_QUALITIES.filter((quality) => !isStableQuality(quality))).toEqual(['poor', 'critical']);
  });
});

/** One ping every 3 s; undefined is a lost one. */
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
  test('is all zeros and excellent at first', () => {
    expect(connectionMetrics([], 0, 0)).toEqual({
      rttMs: 0,
      averageRttMs: 0,
      jitterMs: 0,
      packetLossPercent: 0,
      bytesPerSecond: 0,
      quality: 'excellent',
      isStable: true,
      isDeviceSlow: false,
    });
  });

  test('averages round trips and the changes between them', () => {
    const { history, endMs } = play([100, 140, 120]);
    expect(connectionMetrics(history, endMs, 0)).toEqual({
      rttMs: 120,
      averageRttMs: 120,
      jitterMs: 30,
      packetLossPercent: 0,
      bytesPerSecond: 0,
      quality: 'good',
      isStable: true,
      isDeviceSlow: false,
    });
  });

  test('counts an unanswered ping as lost once it has expired', () => {
    const history = recordPing(play([50, 50, 50]).history, 9, 20_000);
    expect(connectionMetrics(history, 30_000, 0).packetLossPercent).toBe(0);
    expect(connectionMetrics(history, 30_001, 0)).toMatchObject({
      packetLossPercent: 25,
      quality: 'critical',
    });
  });

  test('stays within the measured range', () => {
    const roundTrips = fc.array(fc.option(fc.nat({ max: 9_999 }), { nil: undefined }), { maxLength: 60 });
    fc.assert(
      fc.property(roundTrips, (list) => {
        const { history, endMs } = play(list);
        const answered = list.slice(-PING.historyLength).filter((rttMs) => rttMs !== undefined);
        const metrics = connectionMetrics(history, endMs, 0);
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

  test('ignores unknown, repeated and late answers', () => {
    expect(recordPong(history, 2, 1_050)).toEqual(history);
    const answered = recordPong(history, 1, 1_050);
    expect(recordPong(answered, 1, 1_900)).toEqual(answered);
    expect(recordPong(history, 1, 11_001)).toEqual(history);
  });

  test('reads a clock that stepped back as a round trip of 0', () => {
    expect(connectionMetrics(recordPong(history, 1, 900), 1_000, 0).rttMs).toBe(0);
  });
});

describe('a slow computer', () => {
  afterEach(() => vi.useRealTimers());

  test('is named, and its long frames do not count as delay of the line', () => {
    vi.useFakeTimers();
    const measured: ConnectionMetrics[] = [];
    const sent: number[] = [];
    const pinger = startPinger(
      ({ id }) => sent.push(id),
      (metrics) => measured.push(metrics),
    );
    for (let second = 0; second < 15; second++) {
      for (let frame = 0; frame < 2; frame++) {
        vi.advanceTimersByTime(500);
        pinger.noteFrame(500);
        // Each pong waits until the frame is drawn.
        for (const id of sent.splice(0)) pinger.notePong(id);
      }
    }
    pinger.stop();
    const { quality, isDeviceSlow, averageRttMs } = measured.at(-1)!;
    expect({ quality, isDeviceSlow }).toEqual({ quality: 'excellent', isDeviceSlow: true });
    expect(averageRttMs).toBeLessThan(50);
  });
});
