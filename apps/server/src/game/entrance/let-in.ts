import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err } from '@engulf/domain/errors/result';
import type { Entrance } from './entrance.ts';

/** Counts the socket of a request for a WebSocket, or closes it. */
export function letIn(entrance: Entrance, request: IncomingMessage): boolean {
  const taken = entrance.isForeign(request) ? err(failure('FORBIDDEN')) : entrance.takeSocket(request);
  if (taken.ok) return true;
  entrance.meter?.refused('socket', taken.error.code);
  refuseUpgrade(request, taken.error);
  return false;
}

export function refuseUpgrade({ socket }: IncomingMessage, refused: Failure): void {
  const status = describeFailure(refused).httpStatus ?? 500;
  const body = JSON.stringify({ error: refused.code });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.destroySoon();
}
