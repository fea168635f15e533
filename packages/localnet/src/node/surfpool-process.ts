import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * Runs Surfpool for its parent. `startWithConfig` looks for free ports itself and waits for ever if somebody else takes
 * one before it does; only another process can end that.
 */
const [packageName, config] = process.argv.slice(2) as [string, string];

/** Its event queue is bounded: without draining, every request hangs after some 800 transactions. */
const DRAIN_MS = 100;

export type SurfpoolReport =
  | { readonly kind: 'running'; readonly rpcUrl: string; readonly wsUrl: string }
  | { readonly kind: 'notLoaded'; readonly reason: string };

type Surfnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  drainEvents(): unknown[];
};

type SurfnetClass = { startWithConfig(config: object): Surfnet };

const report = (message: SurfpoolReport) => process.send!(message);

function load(): SurfnetClass | undefined {
  try {
    return (createRequire(import.meta.url)(packageName) as { Surfnet: SurfnetClass }).Surfnet;
  } catch (error) {
    report({ kind: 'notLoaded', reason: (error as Error).message });
    return undefined;
  }
}

// A terminal sends Ctrl+C to every process at once, and the server needs its chain until all are paid.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// Its input ends with its parent, and it with its input: on a thread of its own, because Surfpool may keep this one.
new Worker("require('node:fs').read(0, () => process.kill(process.pid, 'SIGKILL'))", { eval: true });
const net = load()?.startWithConfig(JSON.parse(config) as object);
if (net) {
  setInterval(() => net.drainEvents(), DRAIN_MS);
  report({ kind: 'running', rpcUrl: net.rpcUrl, wsUrl: net.wsUrl });
}
