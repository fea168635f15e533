import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { binaryFrameOf, stateFrameOf, textFrameOf } from './frames.ts';

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

test('a frame of any length is read as it was meant', async () => {
  const { client, write, close } = await openSocket();
  const next = async () => ((await once(client, 'message')) as [{ data: ArrayBuffer | string }])[0].data;
  try {
    for (const length of [0, 1, 124, 125, 126, 65_534, 65_535, 65_536, 200_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
      const state = next();
      write(stateFrameOf(3, bytes));
      expect(Buffer.from((await state) as ArrayBuffer).equals(Buffer.from([3, ...bytes]))).toBe(true);
      const message = next();
      write(binaryFrameOf(bytes));
      expect(Buffer.from((await message) as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true);
      const text = next();
      write(textFrameOf('ä'.repeat(length)));
      expect((await text) === 'ä'.repeat(length)).toBe(true);
    }
  } finally {
    close();
  }
});
