import { keptMatchSchema } from '@engulf/verify/kept-receipts';
import { verifyOnline } from '@engulf/verify/verify-online';
import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/* The check runs beside the page: playing a long match again takes seconds. */

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<VerifyRequest>) => void) | null;
  postMessage(answer: VerifyAnswer): void;
};

scope.onmessage = ({ data: { matchId, server, rpcUrl, kept } }) => {
  verifyOnline(matchId, {
    server,
    rpcUrl,
    kept: keptMatchSchema.safeParse(kept).data,
    onReport: (report, { finalTick, published }) =>
      scope.postMessage({ type: 'report', report, finalTick: finalTick ?? published?.tick ?? null }),
  }).then(
    (result) => scope.postMessage({ type: 'done', result }),
    (error: unknown) => scope.postMessage({ type: 'failed', reason: String((error as Error).message) }),
  );
};
