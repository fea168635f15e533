import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoomOptions } from './options.ts';
import type { PlayerCounts, PlayersMessage } from './players.ts';
import type { ServerFigures, ServerMessage } from './server.ts';

export type RoomLoad = Pick<RoomOptions, 'rooms' | 'processes' | 'areBlind' | 'seconds'> & {
  readonly clients: number;
};

/** What a busy machine does not change, as long as the room keeps its pace. */
export type RoomTraffic = {
  readonly clients: number;
  readonly rooms: number;
  /** Of their own for the rooms. */
  readonly processes: number;
  /** KB (of 1024 bytes) a second for each client, framing included. */
  readonly kbpsDown: number;
  readonly kbpsUp: number;
  /** 25 when the server keeps its pace. */
  readonly ticksPerSecond: number;
  readonly runDelayPct: number;
  readonly rssMb: number;
  /** Only of runs that are longer, to see whether memory grows. */
  readonly rssAfterMinuteMb?: number;
  /** Bytes a second for each client, without framing. */
  readonly bytesByKind: Readonly<Record<string, number>>;
};

export type RoomResult = RoomTraffic & {
  /** Of the thread that runs the rooms, in one tick's 40 ms. With several, of the busiest or slowest of them. */
  readonly tickCpuMsMean: number;
  readonly tickCpuMsP99: number;
  readonly processTickCpuMsMean: number;
  readonly loopDelayMsP99: number;
  readonly loopDelayMsMax: number;
  readonly longestGcMs: number;
};

/** `why` the figures of the processor would be worth nothing; undefined `traffic` if all of them would. */
type Starved = { readonly why: string; readonly traffic: RoomTraffic | undefined };

/** One process plays for so many; more would be late with their own messages. */
const CLIENTS_PER_PROCESS = 100;
const WARM_UP_MS = 8_000;
const POINTERS_PER_SECOND = 20;
/** Above this share of waiting for a core, the figures say more about the machine than about the server. */
const MAX_RUN_DELAY_SHARE = 0.1;
/** Above this share of other virtual machines, even the time that the thread is said to have run is not its own. */
const MAX_STOLEN_SHARE = 0.03;
/** Players are away for a moment when they come back, hence less than 1. */
const MIN_POINTER_SHARE = 0.8;
/** Ticks a second below which clients are sent less than they should. */
const MIN_PACE = 24.5;

export async function measureRoom(load: RoomLoad): Promise<RoomResult | Starved> {
  const { clients, rooms, processes, areBlind, seconds } = load;
  const perRoom = String(Math.ceil(clients / rooms));
  const server = fork(new URL('./server.ts', import.meta.url), [String(rooms), perRoom, String(processes)]);
  const players: ChildProcess[] = [];
  try {
    const { url } = await answerOf<ServerMessage, 'listening'>(server, 'listening');
    for (let first = 0; first < clients; first += CLIENTS_PER_PROCESS) {
      const count = String(Math.min(clients - first, CLIENTS_PER_PROCESS));
      const player = fork(new URL('./players.ts', import.meta.url), [
        url,
        count,
        String(first),
        String(rooms),
        areBlind ? 'blind' : 'seeing',
      ]);
      players.push(player);
      await answerOf<PlayersMessage, 'playing'>(player, 'playing');
    }
    await sleep(WARM_UP_MS);
    for (const child of [server, ...players]) child.send({ type: 'start' });
    await sleep(seconds * 1000);
    const measured = answerOf<ServerMessage, 'measured'>(server, 'measured');
    const counted = players.map((player) => answerOf<PlayersMessage, 'counted'>(player, 'counted'));
    for (const child of [server, ...players]) child.send({ type: 'stop' });
    const { figures } = await measured;
    const counts = (await Promise.all(counted)).map((answer) => answer.counts);
    return judge(load, figures, counts);
  } finally {
    for (const child of [...players, server]) child.kill('SIGKILL');
  }
}

function judge(
  load: RoomLoad,
  figures: ServerFigures,
  counts: readonly PlayerCounts[],
): RoomResult | Starved {
  const traffic = toTraffic(load, figures, counts);
  const why = whyStarved(load, figures, counts);
  if (why === undefined) return toResult(traffic, figures);
  const hasPace =
    traffic.ticksPerSecond >= MIN_PACE && pointerShareOf(load, figures, counts) >= MIN_POINTER_SHARE;
  return { why, traffic: hasPace ? traffic : undefined };
}

function whyStarved(
  load: RoomLoad,
  figures: ServerFigures,
  counts: readonly PlayerCounts[],
): string | undefined {
  const { runDelayShare, stolenShare = 0 } = figures;
  if (runDelayShare === undefined) return undefined;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  if (stolenShare > MAX_STOLEN_SHARE) {
    return `starved: other virtual machines took ${percent(stolenShare)} of the cores' time`;
  }
  if (runDelayShare > MAX_RUN_DELAY_SHARE) {
    return `starved: for ${percent(runDelayShare)} of the time the room's thread was ready but had no core`;
  }
  const pointerShare = pointerShareOf(load, figures, counts);
  if (pointerShare >= MIN_POINTER_SHARE) return undefined;
  return `starved: the players sent only ${percent(pointerShare)} of their pointers`;
}

function pointerShareOf(
  { clients }: RoomLoad,
  { seconds }: ServerFigures,
  counts: readonly PlayerCounts[],
): number {
  const pointers = counts.reduce((sum, count) => sum + count.pointers, 0);
  return pointers / (clients * seconds * POINTERS_PER_SECOND);
}

function toResult(traffic: RoomTraffic, figures: ServerFigures): RoomResult {
  return {
    ...traffic,
    tickCpuMsMean: round(figures.tickCpuMsMean, 2),
    tickCpuMsP99: round(figures.tickCpuMsP99, 2),
    processTickCpuMsMean: round(figures.processTickCpuMsMean, 2),
    loopDelayMsP99: round(figures.loopDelayMsP99, 1),
    loopDelayMsMax: round(figures.loopDelayMsMax, 1),
    longestGcMs: round(figures.longestGcMs, 1),
  };
}

function toTraffic(
  { clients, rooms, processes }: RoomLoad,
  figures: ServerFigures,
  counts: readonly PlayerCounts[],
): RoomTraffic {
  const perClient = (bytes: number) => bytes / figures.seconds / clients;
  const bytesByKind: Record<string, number> = {};
  for (const count of counts) {
    for (const [kind, bytes] of Object.entries(count.bytesByKind)) {
      bytesByKind[kind] = (bytesByKind[kind] ?? 0) + perClient(bytes);
    }
  }
  return {
    clients,
    rooms,
    processes,
    kbpsDown: round(perClient(figures.bytesDown) / 1024, 3),
    kbpsUp: round(perClient(figures.bytesUp) / 1024, 3),
    ticksPerSecond: round(figures.ticksPerSecond, 1),
    runDelayPct: round((figures.runDelayShare ?? Number.NaN) * 100, 1),
    rssMb: toMb(figures.rssBytes),
    ...(figures.rssAfterMinuteBytes !== undefined && {
      rssAfterMinuteMb: toMb(figures.rssAfterMinuteBytes),
    }),
    bytesByKind: Object.fromEntries(
      Object.entries(bytesByKind)
        .sort(([, a], [, b]) => b - a)
        .map(([kind, bytes]) => [kind, round(bytes, 1)]),
    ),
  };
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function answerOf<Message extends { readonly type: string }, Type extends Message['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<Message, { type: Type }>> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A process ended with ${code}`)));
    child.on('message', (message: Message) => {
      if (message.type === type) resolve(message as Extract<Message, { type: Type }>);
    });
  });
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
