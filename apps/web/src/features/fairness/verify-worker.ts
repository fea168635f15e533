import { verifyOnline } from '@engulf/verify/verify-online';
import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/* The check runs beside the page: playing a long match again takes seconds. */

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<VerifyRequest>) => void) | null;
  postMessage(answer: VerifyAnswer): void;
};

scope.onmessage = ({ data: { matchId, server } }) => {
  verifyOnline(matchId, {
    server,
    onReport: (report, { finalTick }) => scope.postMessage({ type: 'report', report, finalTick }),
  }).then(
    (result) => scope.postMessage({ type: 'done', result }),
    (error: unknown) => scope.postMessage({ type: 'failed', reason: String((error as Error).message) }),
  );
};
