import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerFigures, ServerMessage, ServerRequest } from './server.ts';

export type RoomResult = {
  readonly clients: number;
  /** CPU of the server process in one tick's 40 ms, whatever it was spent on. */
  readonly tickCpuMsMean: number;
  readonly tickCpuMsP99: number;
  /** KB (of 1024 bytes) a second for each client. */
  readonly kbpsDown: number;
  readonly kbpsUp: number;
  readonly rssMb: number;
  /** 25 when the server keeps its pace. */
  readonly ticksPerSecond: number;
};

/** One process plays for so many; more would be late with their own messages. */
const CLIENTS_PER_PROCESS = 100;
const WARM_UP_MS = 8_000;

export async function measureRoom(clients: number, seconds: number): Promise<RoomResult> {
  const server = fork(new URL('./server.ts', import.meta.url));
  const players: ChildProcess[] = [];
  try {
    const { url } = await answerOf(server, 'listening');
    for (let left = clients; left > 0; left -= CLIENTS_PER_PROCESS) {
      const count = String(Math.min(left, CLIENTS_PER_PROCESS));
      const player = fork(new URL('./players.ts', import.meta.url), [url, count]);
      players.push(player);
      await new Promise((resolve) => player.once('message', resolve));
    }
    await sleep(WARM_UP_MS);
    request(server, 'start');
    await sleep(seconds * 1000);
    request(server, 'stop');
    const { figures } = await answerOf(server, 'measured');
    return toResult(clients, figures);
  } finally {
    for (const child of [...players, server]) child.kill('SIGKILL');
  }
}

function toResult(clients: number, figures: ServerFigures): RoomResult {
  const perClient = (bytes: number) => round(bytes / 1024 / figures.seconds / clients, 3);
  return {
    clients,
    tickCpuMsMean: round(figures.tickCpuMsMean, 2),
    tickCpuMsP99: round(figures.tickCpuMsP99, 2),
    kbpsDown: perClient(figures.bytesDown),
    kbpsUp: perClient(figures.bytesUp),
    rssMb: Math.round(figures.rssBytes / 1024 / 1024),
    ticksPerSecond: round(figures.ticksPerSecond, 1),
  };
}

function request(server: ChildProcess, type: ServerRequest['type']): void {
  server.send({ type } satisfies ServerRequest);
}

function answerOf<Type extends ServerMessage['type']>(
  server: ChildProcess,
  type: Type,
): Promise<Extract<ServerMessage, { type: Type }>> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
    server.on('message', (message: ServerMessage) => {
      if (message.type === type) resolve(message as Extract<ServerMessage, { type: Type }>);
    });
  });
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
