import { setTimeout as sleep } from 'node:timers/promises';
import { openWriteLoad } from '@engulf/server/testing/write-load';

/*
 * One of the processes of shape.ts: plays what its share of the players writes.
 */

export type PartOrder = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly players: number;
  readonly livesPerS: number;
  readonly seconds: number;
  /** One of each is enough: no process could do what dozens do. */
  readonly looksAtLobbies: boolean;
};

export type PartMessage =
  | { readonly kind: 'ready' }
  /** The time is up; what has begun is finished. */
  | { readonly kind: 'over'; readonly begun: number; readonly done: number; readonly cpuMs: number }
  | {
      readonly kind: 'closed';
      readonly steps: readonly (readonly [step: string, tookMs: readonly number[]])[];
      readonly failures: readonly (readonly [message: string, count: number])[];
    };

/** Resolves when it is on its way: much of it is still in this process before. */
const say = (message: PartMessage) =>
  new Promise((resolve) => process.send!(message, undefined, undefined, resolve));

const inbox = receive();
const order = (await inbox.next()).value as PartOrder;
const load = await openWriteLoad(order, order.players);
await say({ kind: 'ready' });
await inbox.next();
const steps = new Map<string, number[]>();
const failures = new Map<string, number>();
const running = new Set<Promise<unknown>>();
const note = (step: string, ms: number) => {
  const times = steps.get(step) ?? [];
  times.push(ms);
  steps.set(step, times);
};
const start = (work: () => Promise<unknown>) => {
  const done: Promise<unknown> = work()
    .catch(({ message }: Error) => failures.set(message, (failures.get(message) ?? 0) + 1))
    .finally(() => running.delete(done));
  running.add(done);
};
const timed = (step: string, work: () => Promise<void>) => async () => {
  const startedMs = performance.now();
  await work();
  note(step, performance.now() - startedMs);
};
const before = process.cpuUsage();
const startedMs = performance.now();
const elapsedS = () => (performance.now() - startedMs) / 1000;
let [begun, done, second] = [0, 0, 0];
while (elapsedS() < order.seconds) {
  for (; begun < elapsedS() * order.livesPerS; begun++) {
    start(async () => {
      await load.live(note);
      done++;
    });
  }
  if (elapsedS() >= second) {
    second++;
    start(timed('figures of the rooms', load.announceRooms));
    if (order.looksAtLobbies) {
      start(timed("a game process's look at the lobbies", load.checkLobbies));
      start(timed("an api process's look at the menu", load.readMenu));
    }
  }
  await sleep(10);
}
const { user, system } = process.cpuUsage(before);
await say({ kind: 'over', begun, done, cpuMs: (user + system) / 1000 });
await Promise.all(running);
await load.close();
await say({ kind: 'closed', steps: [...steps], failures: [...failures] });
process.disconnect();

async function* receive(): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake: (() => void) | undefined;
  process.on('message', (message) => {
    waiting.push(message);
    wake?.();
  });
  for (;;) {
    while (waiting.length > 0) yield waiting.shift();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
