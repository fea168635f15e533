import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReaderMessage, ReaderRequest } from './readers.ts';
import type { ServerMessage, ServerRequest } from './server.ts';

export type MenuLoad = {
  readonly readers: number;
  readonly messagesPerSecond: number;
  readonly seconds: number;
};

export type MenuResult = {
  readonly readers: number;
  readonly messagesPerSecond: number;
  /** Messages that each reader received, per second. */
  readonly receivedPerSecond: number;
  /** CPU of the server process in percent of one core, the database's thread included. */
  readonly cpuPercent: number;
  /** Of its main thread alone, which reads and writes all sockets. */
  readonly mainCpuPercent: number;
  /** From writing to the database to a reader's page. */
  readonly delayMsP50: number;
  readonly delayMsP99: number;
  readonly rssMb: number;
};

const READERS_PER_PROCESS = 250;
const WARM_UP_MS = 5_000;

export async function measureMenu({ readers, messagesPerSecond, seconds }: MenuLoad): Promise<MenuResult> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-bench-'));
  const server = fork(new URL('./server.ts', import.meta.url), [folder]);
  const pages: ChildProcess[] = [];
  try {
    const { url, cookies } = await answerOf<ServerMessage, 'listening'>(server, 'listening');
    for (let left = readers; left > 0; left -= READERS_PER_PROCESS) {
      const count = String(Math.min(left, READERS_PER_PROCESS));
      const isFirst = pages.length === 0;
      const writing = isFirst ? [String(messagesPerSecond), ...cookies] : ['0'];
      const page = fork(new URL('./readers.ts', import.meta.url), [url, count, ...writing]);
      pages.push(page);
      await answerOf<ReaderMessage, 'connected'>(page, 'connected');
    }
    await sleep(WARM_UP_MS);
    await Promise.all(pages.map(countOf));
    server.send({ type: 'start' } satisfies ServerRequest);
    await sleep(seconds * 1_000);
    const measured = answerOf<ServerMessage, 'measured'>(server, 'measured');
    server.send({ type: 'stop' } satisfies ServerRequest);
    const { figures } = await measured;
    const counts = await Promise.all(pages.map(countOf));
    const received = counts.reduce((sum, { messages }) => sum + messages, 0);
    const delays = counts.flatMap(({ delaysMs }) => delaysMs).sort((a, b) => a - b);
    return {
      readers,
      messagesPerSecond,
      receivedPerSecond: round(received / readers / figures.seconds, 1),
      cpuPercent: round((100 * figures.cpuSeconds) / figures.seconds, 1),
      mainCpuPercent: round((100 * figures.mainCpuSeconds) / figures.seconds, 1),
      delayMsP50: delays[Math.floor(delays.length / 2)] ?? 0,
      delayMsP99: delays[Math.floor(delays.length * 0.99)] ?? 0,
      rssMb: Math.round(figures.rssBytes / 1024 / 1024),
    };
  } finally {
    for (const child of [...pages, server]) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function countOf(page: ChildProcess) {
  const counted = answerOf<ReaderMessage, 'counted'>(page, 'counted');
  page.send({ type: 'count' } satisfies ReaderRequest);
  return counted;
}

function answerOf<Message extends { readonly type: string }, Type extends Message['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<Message, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process ended with ${code}`));
    child.once('exit', onExit);
    const listen = (message: Message) => {
      if (message.type !== type) return;
      child.off('message', listen);
      child.off('exit', onExit);
      resolve(message as Extract<Message, { type: Type }>);
    };
    child.on('message', listen);
  });
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
