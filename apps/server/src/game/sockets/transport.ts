import type { IncomingMessage, Server } from 'node:http';
import { type Client, ClientState, CloseCode, matchMaker, ServerError } from '@colyseus/core';
import { setTransport } from '@colyseus/core/Transport';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { describeFailure, type Failure } from '@engulf/domain/errors/registry';
import { createPlainMessages } from '@engulf/protocol/room/plain-messages';
import { packPayload, serverTypeNumber } from '@engulf/protocol/room/wire-types';
import type { Connection } from '../connection.ts';
import type { Door } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { createPlainState } from '../views/plain-state.ts';
import { captureColyseusLog } from './colyseus-log.ts';
import { stateFrame } from './frames.ts';
import { createOutbox } from './outbox.ts';
import { guardSocket, type Line, type RawSocket } from './socket-guard.ts';

/* The game's side of the network: rooms over WebSockets. */

export type GameTransport = {
  /** Names this process in the addresses of its rooms. */
  readonly processName: string;
  close(): Promise<void>;
};

/** A type from here on is the head of a text. */
const FIRST_TEXT = 0x80;

/** What is behind each socket, while there is one. */
const lines = new WeakMap<object, Line & { readonly address: string }>();

/** Lets Colyseus take the WebSockets for which `takes` is true. */
export async function openGameTransport(
  server: Server,
  door: Door,
  takes: (request: IncomingMessage) => boolean,
): Promise<GameTransport> {
  captureColyseusLog(door.log);
  const transport = new (guardedTransport(door))({
    noServer: true,
    // See silence.ts.
    pingInterval: 0,
    maxPayload: ENTRANCE_LIMITS.maxMessageBytes,
  });
  setTransport(transport);
  transport.attachToServer(server, { filter: takes });
  await matchMaker.setup();
  await matchMaker.accept();
  return {
    processName: matchMaker.processId,
    close: async () => {
      await matchMaker.gracefullyShutdown();
      transport.shutdown();
    },
  };
}

function guardedTransport(door: Door) {
  return class GuardedTransport extends WebSocketTransport {
    protected override async onConnection(
      ...parameters: Parameters<WebSocketTransport['onConnection']>
    ): Promise<void> {
      const [socket, request] = parameters;
      const raw = socket as unknown as RawSocket;
      const { socket: stream } = request;
      const line = { address: door.addressOf(request), stream, outbox: createOutbox(stream) };
      lines.set(raw, line);
      guardSocket(raw, line, door);
      try {
        closeStale(request.url ?? '');
        await super.onConnection(...parameters);
      } catch (error) {
        // Nobody waits for this promise, and a rejection would end the process.
        door.log(
          'error',
          'connection',
          { code: 'SOCKET_FAILED', err: error },
          'could not connect a room socket',
        );
        raw.terminate();
      }
    }
  };
}

/**
 * A client that reconnects has given up its old connection, which may still look open here, because a network that fails
 * sends no notice. Colyseus keeps the new one waiting until the old one is closed.
 */
function closeStale(url: string): void {
  const { pathname, searchParams } = new URL(url, 'ws://any');
  const room = matchMaker.getLocalRoomById(pathname.split('/').at(-1)!);
  const client = room?.clients.getById(searchParams.get('sessionId') ?? '');
  if (client?.reconnectionToken !== searchParams.get('reconnectionToken')) return;
  (client?.ref as unknown as RawSocket | undefined)?.terminate();
}

type Speech = Pick<Connection, 'send' | 'sendState'>;

function compactSpeech(client: Client, socket: RawSocket, line: Line | undefined): Speech {
  return {
    send: (type, payload) => client.send(serverTypeNumber(type), packPayload(type, payload)),
    sendState: (type, bytes) => {
      if (!line || socket.readyState !== WebSocket.OPEN) return;
      line.outbox.post(stateFrame(serverTypeNumber(type), bytes));
    },
  };
}

function plainSpeech(client: Client): Speech {
  const stateOf = createPlainState();
  const messagesOf = createPlainMessages();
  return {
    send: (type, payload) => {
      for (const [name, part] of messagesOf(type, payload)) client.send(name, part);
    },
    sendState: (type, bytes) => client.send(type, stateOf(bytes)),
  };
}

/** The address that limits count by. */
export function addressOf({ ref }: Pick<Client, 'ref'>): string {
  return lines.get(ref)?.address ?? '';
}

export function connectionOf(client: Client, { isPlain }: { readonly isPlain: boolean }): Connection {
  // Colyseus types the socket as a plain event emitter; with the WebSocket transport it is one of `ws`.
  const socket = client.ref as unknown as RawSocket;
  const line = lines.get(socket);
  const { send, sendState } = isPlain ? plainSpeech(client) : compactSpeech(client, socket, line);
  const { backlogHoldBytes, plainBacklogHoldBytes } = ENTRANCE_LIMITS;
  const holdBytes = isPlain ? plainBacklogHoldBytes : backlogHoldBytes;
  return {
    address: addressOf(client),
    send,
    sendState,
    canTakeState: () => client.state === ClientState.JOINED && socket.bufferedAmount <= holdBytes,
    close: () => client.leave(CloseCode.CONSENTED),
    kick: (reason) => {
      send('kicked', { reason });
      client.leave(CloseCode.WITH_ERROR, reason);
    },
    expel: (reason) => {
      send('kick', { reason });
      send('game_ended', { message: 'kicked' });
      client.leave(CloseCode.WITH_ERROR, reason);
    },
  };
}

/** Messages of bytes, of types that are numbers, go to the room without Colyseus. */
export function takeBytesOf(client: Client, take: (type: number, bytes: Uint8Array) => void): void {
  const line = lines.get(client.ref);
  if (!line) return;
  line.takeBytes = (type, bytes) => {
    if (client.state !== ClientState.JOINED || type >= FIRST_TEXT) return false;
    take(type, bytes);
    return true;
  };
}

/** A failure in the form that Colyseus hands to the client: its message is the code of the error registry. */
export function refusal(failure: Failure): ServerError {
  return new ServerError(describeFailure(failure).httpStatus ?? 500, failure.code);
}
