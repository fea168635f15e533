import { Worker } from 'node:worker_threads';

type ForkOrigin = {
  readonly url: string;
  stop(): Promise<void>;
};

/**
 * The chain that Surfpool believes it forks: empty, at a fixed slot. It runs on a thread of its own because Surfpool
 * blocks the calling thread while it asks.
 */
export async function startForkOrigin(slot: bigint): Promise<ForkOrigin> {
  const worker = new Worker(new URL('./fork-origin-worker.ts', import.meta.url), { workerData: slot });
  const port = await new Promise<number>((resolve, reject) => {
    // Under `node --watch` the worker also reports its imports as messages.
    worker.on('message', (message) => typeof message === 'number' && resolve(message));
    worker.once('error', reject);
  });
  worker.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await worker.terminate();
    },
  };
}
