import { PING_PAYLOAD_LENGTH } from '@engulf/protocol/room/client-messages';
import {
  type ConnectionMetrics,
  connectionMetrics,
  PING,
  type PingHistory,
  recordPing,
  recordPong,
} from './ping-history.ts';

/** Measures the connection from the pings it sends. */
export type Pinger = {
  notePong(id: number): void;
  stop(): void;
};

const PADDING = 'x'.repeat(PING_PAYLOAD_LENGTH);

export function startPinger(
  send: (ping: { id: number; timestamp: number; data: string }) => void,
  onMetrics: (metrics: ConnectionMetrics) => void,
): Pinger {
  let history: PingHistory = [];
  let nextId = 0;
  const ping = () => {
    history = recordPing(history, nextId, performance.now());
    send({ id: nextId, timestamp: Date.now(), data: PADDING });
    nextId++;
  };
  const judge = () => onMetrics(connectionMetrics(history, performance.now()));
  const timers = [setInterval(ping, PING.everyMs), setInterval(judge, PING.qualityUpdateEveryMs)];
  ping();
  return {
    notePong(id) {
      history = recordPong(history, id, performance.now());
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
