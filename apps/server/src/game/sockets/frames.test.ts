import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Protocol } from '@colyseus/core';
import { expect, test } from 'vitest';
import { messageFrame, stateFrame } from './frames.ts';

/** Takes one WebSocket and writes plain bytes to it. */
async function openSocket() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upgraded = once(server, 'upgrade');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.binaryType = 'arraybuffer';
  const [request, socket] = await upgraded;
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const { createHash } = await import('node:crypto');
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  await once(client, 'open');
  return {
    client,
    write: (bytes: Buffer) => socket.write(bytes),
    close: () => {
      socket.destroy();
      server.close();
    },
  };
}

test('a frame of any length is read as the type and the bytes of the update', async () => {
  const { client, write, close } = await openSocket();
  try {
    for (const length of [0, 1, 123, 124, 65_533, 65_534, 200_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
      const received = once(client, 'message');
      write(stateFrame(3, bytes));
      const [{ data }] = (await received) as [{ data: ArrayBuffer }];
      expect(Buffer.from(data).equals(Buffer.from([Protocol.ROOM_DATA_BYTES, 3, ...bytes]))).toBe(true);
      const message = once(client, 'message');
      write(messageFrame(bytes));
      expect(Buffer.from((await message)[0].data).equals(Buffer.from(bytes))).toBe(true);
    }
  } finally {
    close();
  }
});

test('what goes to many is framed once, and the next message again', () => {
  const [first, second] = [Uint8Array.of(1, 2), Uint8Array.of(1, 2)];
  const frame = messageFrame(first);
  expect(messageFrame(first)).toBe(frame);
  expect(messageFrame(second)).not.toBe(frame);
  expect([...messageFrame(second)]).toEqual([0x82, 2, 1, 2]);
});
