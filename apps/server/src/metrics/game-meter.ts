import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { GameMeter, RoomCounts } from '../game/ports.ts';

/** Rooms report once a second; one that is silent for this long has closed. */
const SILENT_AFTER_MS = 5_000;

type Options = {
  readonly refused: Counter<'what' | 'code'>;
  nowMs(): number;
};

/** Counts what the rooms report. A tick costs two additions to a histogram. */
export function createGameMeter(registry: Registry, { refused, nowMs }: Options): GameMeter {
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
      tickSeconds.observe(tookMs / 1000);
      tickLateSeconds.observe(Math.max(0, lateMs) / 1000);
    },
    room: (lobby, counts) => rooms.set(lobby, { ...counts, atMs: nowMs() }),
    connection: (event) => connections.inc({ event }),
    refused: (what, code) => refused.inc({ what, code: code.toUpperCase().replaceAll(' ', '_') }),
  };
}
