import type { IncomingMessage, RequestListener, Server } from 'node:http';
import {
  type Client,
  ClientState,
  CloseCode,
  createNodeMatchmakingMiddleware,
  matchMaker,
  ServerError,
} from '@colyseus/core';
import { setTransport } from '@colyseus/core/Transport';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { describeFailure, type Failure } from '@engulf/domain/errors/registry';
import type { Connection } from '../connection.ts';

/* The game's side of the network: matchmaking over HTTP, rooms over WebSockets. */

/** Above the largest message of the protocol, far below what would hurt. */
const MAX_MESSAGE_BYTES = 4_096;

/** How far a client may fall behind before its updates are held back, and before it is dropped. */
const BACKLOG = { holdBytes: 64 * 1024, dropBytes: 1024 * 1024 } as const;

/** Answers matchmaking requests and passes all others on. */
export function matchmakingOr(application: RequestListener): RequestListener {
  const matchmaking = createNodeMatchmakingMiddleware();
  return (request, response) => {
    if (!request.url?.startsWith('/matchmake/')) return application(request, response);
    // Colyseus does not guard its parsing; an error in there must not end the process.
    matchmaking(request, response, () => application(request, response)).catch(() => response.destroy());
  };
}

export type GameTransport = {
  close(): Promise<void>;
};

/** Lets Colyseus take the WebSockets for which `takes` is true. */
export async function openGameTransport(
  server: Server,
  takes: (request: IncomingMessage) => boolean = () => true,
): Promise<GameTransport> {
  const transport = new WebSocketTransport({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  setTransport(transport);
  transport.attachToServer(server, { filter: takes });
  await matchMaker.setup();
  await matchMaker.accept();
  return {
    close: async () => {
      await matchMaker.gracefullyShutdown();
      transport.shutdown();
    },
  };
}

export function connectionOf(client: Client): Connection {
  // Colyseus types the socket as a plain event emitter; with the WebSocket transport it is one of `ws`.
  const socket = client.ref as unknown as { readonly bufferedAmount: number; terminate(): void };
  return {
    send: (type, payload) => client.send(type, payload),
    sendState: (type, bytes) => client.sendBytes(type, bytes),
    canTakeState: () => {
      if (socket.bufferedAmount > BACKLOG.dropBytes) socket.terminate();
      return client.state === ClientState.JOINED && socket.bufferedAmount <= BACKLOG.holdBytes;
    },
    kick: (reason) => {
      client.send('kicked', { reason });
      client.leave(CloseCode.WITH_ERROR, reason);
    },
  };
}

/** A failure in the form that Colyseus hands to the client: its message is the code of the error registry. */
export function refusal(failure: Failure): ServerError {
  return new ServerError(describeFailure(failure).httpStatus ?? 500, failure.code);
}
