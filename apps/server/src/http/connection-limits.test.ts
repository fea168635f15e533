import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { soon } from '../../testing/soon.ts';
import { limitConnections } from './connection-limits.ts';

const MAX = 60;
let server: Server;
const clients: Socket[] = [];

beforeAll(async () => {
  server = createServer((_request, response) => response.end());
  limitConnections(server, { trustProxy: () => false, rateLimitScale: 1 }, MAX);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});

function open(localAddress: string): Socket {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  clients.push(client.resume());
  return client;
}

test('addresses that keep all places make room for newcomers, who are answered', async () => {
  const held = Array.from({ length: MAX }, (_, i) => open(`127.0.0.${2 + (i % 3)}`));
  await soon(async () =>
    expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(MAX),
  );
  for (let i = 0; i < 20; i++) {
    const newcomer = open(`127.0.1.${1 + i}`);
    newcomer.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await once(newcomer, 'data'))).toMatch(/^HTTP\/1\.1 200/);
  }
  expect(held.filter(({ closed }) => closed)).toHaveLength(20);
  // Whoever has made room does not get it back.
  const again = open('127.0.0.2');
  await soon(() => expect(again.closed).toBe(true));
  const counts = [2, 3, 4].map(
    (last) => held.filter((_, i) => 2 + (i % 3) === last && !held[i]!.closed).length,
  );
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});
