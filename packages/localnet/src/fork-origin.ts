import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type ForkOrigin = {
  readonly url: string;
  stop(): Promise<void>;
};

/**
 * The chain Surfpool believes it forks: empty, standing at one slot. It runs on a thread of its own because
 * Surfpool blocks the calling thread while it asks.
 */
export async function startForkOrigin(slot: bigint): Promise<ForkOrigin> {
  const worker = new Worker(new URL('./fork-origin-worker.ts', import.meta.url), { workerData: slot });
  const [port] = (await once(worker, 'message')) as [number];
  worker.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await worker.terminate();
    },
  };
}
