import { PING_PADDING_LENGTH } from '@engulf/protocol/room/byte-messages';
import type { ConnectionQuality } from '@engulf/protocol/room/connection-quality';

export type ConnectionFigures = {
  readonly averageRttMs: number;
  readonly jitterMs: number;
  readonly packetLossPercent: number;
};

export type ConnectionMetrics = ConnectionFigures & {
  readonly rttMs: number;
  /** What the room sends; it decides nothing. */
  readonly bytesPerSecond: number;
  readonly quality: ConnectionQuality;
  readonly isStable: boolean;
  /** The computer, not the line, is late. */
  readonly isDeviceSlow: boolean;
};

export const PING = {
  everyMs: 3_000,
  historyLength: 20,
  expiresAfterMs: 10_000,
  qualityUpdateEveryMs: 5_000,
} as const;

/** Pings the room and measures the connection. */
export type Pinger = {
  notePong(id: number): void;
  noteReceived(bytes: number): void;
  /** The time since the frame before: a pong that came meanwhile has waited for it. */
  noteFrame(elapsedMs: number): void;
  stop(): void;
};

const NO_FRAMES = { count: 0, sumMs: 0 };
const USUAL_FRAME_MS = 17;
const HIDDEN_FRAME_MS = 2_000;
/** Fewer than twenty frames a second. */
const SLOW_FRAME_MS = 50;

const PADDING = 'x'.repeat(PING_PADDING_LENGTH);

export function startPinger(
  send: (ping: { id: number; timestamp: number; data: string }) => void,
  onMetrics: (metrics: ConnectionMetrics) => void,
): Pinger {
  let history: PingHistory = [];
  let nextId = 0;
  let receivedBytes = 0;
  let frames = NO_FRAMES;
  let longestSincePingMs = 0;
  const ping = () => {
    longestSincePingMs = 0;
    history = recordPing(history, nextId, performance.now());
    send({ id: nextId, timestamp: Date.now(), data: PADDING });
    nextId++;
  };
  const measure = () => {
    const bytesPerSecond = (receivedBytes * 1000) / PING.qualityUpdateEveryMs;
    receivedBytes = 0;
    const meanFrameMs = frames.count === 0 ? 0 : frames.sumMs / frames.count;
    frames = NO_FRAMES;
    onMetrics(connectionMetrics(history, performance.now(), bytesPerSecond, meanFrameMs));
  };
  const timers = [setInterval(ping, PING.everyMs), setInterval(measure, PING.qualityUpdateEveryMs)];
  ping();
  return {
    notePong(id) {
      const waitedMs = Math.max(0, longestSincePingMs - USUAL_FRAME_MS);
      history = recordPong(history, id, performance.now() - waitedMs);
    },
    noteFrame(elapsedMs) {
      // A hidden tab draws nothing; that says nothing about the computer.
      if (elapsedMs > HIDDEN_FRAME_MS) return;
      frames = { count: frames.count + 1, sumMs: frames.sumMs + elapsedMs };
      longestSincePingMs = Math.max(longestSincePingMs, elapsedMs);
    },
    noteReceived(bytes) {
      receivedBytes += bytes;
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

type Ping = { readonly id: number; readonly sentMs: number; readonly rttMs?: number };

/** The latest pings, oldest first. */
export type PingHistory = readonly Ping[];

export function recordPing(history: PingHistory, id: number, nowMs: number): PingHistory {
  return [...history, { id, sentMs: nowMs }].slice(-PING.historyLength);
}

/** Ignores answers to unknown, answered or expired pings. */
export function recordPong(history: PingHistory, id: number, nowMs: number): PingHistory {
  return history.map((ping) =>
    ping.id === id && ping.rttMs === undefined && !isExpired(ping, nowMs)
      ? { ...ping, rttMs: Math.max(0, nowMs - ping.sentMs) }
      : ping,
  );
}

/**
 * An unanswered ping counts as lost once it has expired. Jitter is the mean change from one round trip to the next. All
 * figures are 0 until something was measured.
 */
export function connectionMetrics(
  history: PingHistory,
  nowMs: number,
  bytesPerSecond: number,
  meanFrameMs = 0,
): ConnectionMetrics {
  const roundTripsMs = history.map((ping) => ping.rttMs).filter((rttMs) => rttMs !== undefined);
  const lost = history.filter((ping) => ping.rttMs === undefined && isExpired(ping, nowMs)).length;
  const changesMs = roundTripsMs.slice(1).map((rttMs, index) => Math.abs(rttMs - roundTripsMs[index]!));
  const settled = roundTripsMs.length + lost;
  const figures: ConnectionFigures = {
    averageRttMs: mean(roundTripsMs),
    jitterMs: mean(changesMs),
    packetLossPercent: settled === 0 ? 0 : (lost / settled) * 100,
  };
  const quality = connectionQuality(figures);
  const rttMs = roundTripsMs.at(-1) ?? 0;
  const isDeviceSlow = meanFrameMs > SLOW_FRAME_MS;
  return { ...figures, rttMs, bytesPerSecond, quality, isStable: isStableQuality(quality), isDeviceSlow };
}

function isExpired(ping: Ping, nowMs: number): boolean {
  return nowMs - ping.sentMs > PING.expiresAfterMs;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Above any of these, a connection is poor. */
export const POOR = { quality: 'poor', averageRttMs: 500, jitterMs: 100, packetLossPercent: 10 } as const;

/** The first row that any figure exceeds decides; if none does, the connection is excellent. */
const LIMITS = [
  { quality: 'critical', averageRttMs: 1000, jitterMs: 200, packetLossPercent: 20 },
  POOR,
  { quality: 'fair', averageRttMs: 200, jitterMs: 50, packetLossPercent: 5 },
  { quality: 'good', averageRttMs: 100, jitterMs: 25, packetLossPercent: 2 },
] as const;

export function connectionQuality(figures: ConnectionFigures): ConnectionQuality {
  const row = LIMITS.find(
    (limit) =>
      figures.averageRttMs > limit.averageRttMs ||
      figures.jitterMs > limit.jitterMs ||
      figures.packetLossPercent > limit.packetLossPercent,
  );
  return row?.quality ?? 'excellent';
}

/** The player is warned about the others. */
export function isStableQuality(quality: ConnectionQuality): boolean {
  return quality !== 'poor' && quality !== 'critical';
}
