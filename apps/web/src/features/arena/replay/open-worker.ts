import type { ReplayAnswer, ReplayPort } from './replay-messages.ts';

/** Starts the worker that plays recordings. */
export function openReplayWorker(): ReplayPort {
  const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), { type: 'module' });
  const port: ReplayPort = {
    send: (request) => worker.postMessage(request),
    onAnswer: () => {},
    close: () => worker.terminate(),
  };
  worker.onmessage = ({ data }: MessageEvent<ReplayAnswer>) => port.onAnswer(data);
  worker.onerror = (event) => port.onAnswer({ type: 'failed', reason: event.message });
  return port;
}
