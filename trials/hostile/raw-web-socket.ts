import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A WebSocket without manners: it sends what it is told, and reads only if it likes. */
export type RawWebSocket = {
  readonly socket: Socket;
  readonly isOpen: () => boolean;
  send(bytes: Uint8Array): void;
};

/** Connects from one of the loopback addresses. Resolves to undefined if the server refuses. */
export function openRawWebSocket(
  url: string,
  { localAddress, cookie }: { readonly localAddress: string; readonly cookie?: string | undefined },
): Promise<RawWebSocket | undefined> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `${cookie === undefined ? '' : `Cookie: ${cookie}\r\n`}\r\n`,
    );
    socket.once('data', (answer) => {
      if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) {
        socket.destroy();
        resolve(undefined);
        return;
      }
      socket.on('data', () => {});
      resolve({
        socket,
        isOpen: () => socket.writable && !socket.destroyed,
        send: (bytes) => void (socket.writable && socket.write(frameOf(bytes))),
      });
    });
  });
}

const BINARY = 0x82;
const MASKED = 0x80;
const LENGTH_IN_TWO_BYTES = 126;

/** One binary frame, masked with zeros. */
function frameOf(bytes: Uint8Array): Buffer {
  const mask = [0, 0, 0, 0];
  const head =
    bytes.length < LENGTH_IN_TWO_BYTES
      ? [BINARY, MASKED | bytes.length]
      : [BINARY, MASKED | LENGTH_IN_TWO_BYTES, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([...head, ...mask]), bytes]);
}
