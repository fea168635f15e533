import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { GameMeter, RoomCounts } from '../game/ports.ts';

/** Rooms report once a second; one that is silent for this long has closed. */
const SILENT_AFTER_MS = 5_000;

type Options = {
  readonly refused: Counter<'what' | 'code'>;
  nowMs(): number;
};

export type MeasuredGame = GameMeter & {
  /** What the slowest hundredth of the ticks since the last call took, or more; undefined without any. */
  slowTickMs(): number | undefined;
};

/** Of a minute of a few rooms; of more, the latest. */
const KEPT_TICKS = 4_096;

/** Counts what the rooms report. A tick costs two additions to a histogram and a number to remember. */
export function createGameMeter(registry: Registry, { refused, nowMs }: Options): MeasuredGame {
  const recent = new Float32Array(KEPT_TICKS);
  let ticks = 0;
  const registers = [registry];
  const tickSeconds = new Histogram({
    name: 'engulf_tick_seconds',
    help: 'Time that one tick of a match took',
    buckets: [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.04],
    registers,
  });
  const tickLateSeconds = new Histogram({
    name: 'engulf_tick_late_seconds',
    help: 'How late a tick of a match began',
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.04, 0.1, 0.5],
    registers,
  });
  const connections = new Counter({
    name: 'engulf_room_connections_total',
    help: 'Connections to rooms that were joined, lost and resumed',
    labelNames: ['event'],
    registers,
  });
  for (const event of ['joined', 'dropped', 'reconnected']) connections.inc({ event }, 0);
  const rooms = new Map<string, RoomCounts & { readonly atMs: number }>();
  new Gauge({
    name: 'engulf_room_people',
    help: 'Players, spectators and bots in the rooms of this process',
    labelNames: ['lobby', 'kind'],
    registers,
    collect() {
      this.reset();
      for (const [lobby, { atMs, players, spectators, bots }] of rooms) {
        if (nowMs() - atMs > SILENT_AFTER_MS) {
          rooms.delete(lobby);
          continue;
        }
        this.set({ lobby, kind: 'players' }, players);
        this.set({ lobby, kind: 'spectators' }, spectators);
        this.set({ lobby, kind: 'bots' }, bots);
      }
    },
  });
  return {
    tick: (tookMs, lateMs) => {
      recent[ticks++ % KEPT_TICKS] = tookMs;
      tickSeconds.observe(tookMs / 1000);
      tickLateSeconds.observe(Math.max(0, lateMs) / 1000);
    },
    slowTickMs: () => {
      const sorted = recent.slice(0, ticks).sort();
      ticks = 0;
      return sorted[Math.floor(sorted.length * 0.99)];
    },
    room: (lobby, counts) => rooms.set(lobby, { ...counts, atMs: nowMs() }),
    connection: (event) => connections.inc({ event }),
    refused: (what, code) => refused.inc({ what, code: code.toUpperCase().replaceAll(' ', '_') }),
  };
}
