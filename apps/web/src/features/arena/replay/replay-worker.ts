import { createRecordingPlayer } from './play-recording.ts';
import type { ReplayAnswer, ReplayRequest } from './replay-messages.ts';

/* A recording is played beside the page, so that a long jump does not stop the picture. */

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<ReplayRequest>) => void) | null;
  postMessage(answer: ReplayAnswer): void;
};

const { port1, port2 } = new MessageChannel();
/** Lets waiting messages in. Timers would wait for four milliseconds each time. */
const rest = () =>
  new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });

const player = createRecordingPlayer((answer) => scope.postMessage(answer), rest);
scope.onmessage = ({ data }) => void player.handle(data);
