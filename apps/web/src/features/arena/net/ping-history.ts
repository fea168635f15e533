import {
  type ConnectionFigures,
  type ConnectionQuality,
  connectionQuality,
  isStableQuality,
} from './connection-quality.ts';

export const PING = {
  everyMs: 3_000,
  historyLength: 20,
  expiresAfterMs: 10_000,
  qualityUpdateEveryMs: 5_000,
} as const;

type Ping = { readonly id: number; readonly sentMs: number; readonly rttMs?: number };

/** The latest pings in the order they were sent, answered or not. */
export type PingHistory = readonly Ping[];

export type ConnectionMetrics = ConnectionFigures & {
  readonly rttMs: number;
  readonly quality: ConnectionQuality;
  readonly isStable: boolean;
};

export function recordPing(history: PingHistory, id: number, nowMs: number): PingHistory {
  return [...history, { id, sentMs: nowMs }].slice(-PING.historyLength);
}

/** An answer to an unknown, answered or expired ping changes nothing. */
export function recordPong(history: PingHistory, id: number, nowMs: number): PingHistory {
  return history.map((ping) =>
    ping.id === id && ping.rttMs === undefined && !isExpired(ping, nowMs)
      ? { ...ping, rttMs: Math.max(0, nowMs - ping.sentMs) }
      : ping,
  );
}

/**
 * A ping still under way says nothing yet; one without an answer after its expiry is a lost packet. Jitter is
 * the mean change from one round trip to the next. All figures are 0 until there is something to measure.
 */
export function connectionMetrics(history: PingHistory, nowMs: number): ConnectionMetrics {
  const roundTripsMs = history.map((ping) => ping.rttMs).filter((rttMs) => rttMs !== undefined);
  const lost = history.filter((ping) => ping.rttMs === undefined && isExpired(ping, nowMs)).length;
  const changesMs = roundTripsMs.slice(1).map((rttMs, index) => Math.abs(rttMs - roundTripsMs[index]!));
  const decided = roundTripsMs.length + lost;
  const figures: ConnectionFigures = {
    averageRttMs: mean(roundTripsMs),
    jitterMs: mean(changesMs),
    packetLossPercent: decided === 0 ? 0 : (lost / decided) * 100,
  };
  const quality = connectionQuality(figures);
  return { ...figures, rttMs: roundTripsMs.at(-1) ?? 0, quality, isStable: isStableQuality(quality) };
}

function isExpired(ping: Ping, nowMs: number): boolean {
  return nowMs - ping.sentMs > PING.expiresAfterMs;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
