import { startProgress, verifyLobby } from '@engulf/verify/verify-lobby';
import type { LobbyCheckAnswer, LobbyCheckRequest } from './lobby-messages.ts';

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<LobbyCheckRequest>) => void) | null;
  postMessage(answer: LobbyCheckAnswer): void;
};

/** Kept for the next request: another node, or the same one after a pause. */
const progress = startProgress();

scope.onmessage = ({ data: { lobbyId, server, rpcUrl } }) => {
  verifyLobby(lobbyId, {
    server,
    rpcUrl,
    progress,
    onProgress: (what, done, of) => scope.postMessage({ type: 'progress', what, done, of }),
  }).then(
    (audit) => scope.postMessage({ type: 'done', audit }),
    () => scope.postMessage({ type: 'failed' }),
  );
};
