import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEntrance } from '../game/entrance/entrance.ts';
import { letIn } from '../game/entrance/let-in.ts';
import { openRoomSockets, type RoomSockets } from '../game/sockets/accept.ts';
import { systemClock } from '../platform/clock.ts';
import { beforeApplication, guardUpgrades, isForRooms } from './one-port.ts';

let server: Server;
let sockets: RoomSockets;

beforeAll(async () => {
  const entrance = createEntrance({
    clock: systemClock,
    log: () => {},
    addressOf: ({ socket }) => socket.remoteAddress!,
    isOwnOrigin: (origin) => origin === 'http://localhost',
    limitScale: 100,
  });
  const application: RequestListener = (_request, response) => response.end('the application');
  server = createServer(beforeApplication(application));
  guardUpgrades(server, { hasMenu: false, hasRooms: true });
  sockets = openRoomSockets(entrance);
  server.on('upgrade', (request, socket, head) => {
    if (isForRooms(request) && letIn(entrance, request)) sockets.accept(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  sockets.close();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

/** Sends raw bytes and returns the answer once it matches or the server has closed the socket. */
function send(bytes: string, isWhole = /(?!)/): Promise<{ answer: string; isClosed: boolean }> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port(), '127.0.0.1', () => socket.write(bytes));
    const end = (isClosed: boolean) => {
      resolve({ answer, isClosed });
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (isWhole.test(answer)) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}

const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

async function isAlive(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port()}/`);
  return (await response.text()) === 'the application';
}

test.each(['//', 'http://[', '*'])('a request for %s is refused and harms nobody', async (target) => {
  const { answer } = await send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`, /400/);
  expect(answer).toContain('400');
  expect(await isAlive()).toBe(true);
});

test.each(['*:999999', '//', 'http://[/', '/socket.io/', '/socket.io/?EIO=4'])(
  'an upgrade to %s, which nobody takes, is closed',
  async (target) => {
    expect((await send(upgrade(target))).isClosed).toBe(true);
    expect(await isAlive()).toBe(true);
  },
);

test.each(['/socket.io', '/socket.ioX', '/nowhere/room'])(
  'a connection to %s that breaks off harms nobody',
  async (target) => {
    const socket = connect(port(), '127.0.0.1', () => socket.write(upgrade(target)));
    socket.on('error', () => {});
    await sleep(100);
    socket.resetAndDestroy();
    expect(await isAlive()).toBe(true);
  },
);

test('a room socket of another site is refused', async () => {
  const foreign = upgrade('/process/room').replace('\r\n\r\n', '\r\nOrigin: https://evil.example\r\n\r\n');
  expect((await send(foreign, /FORBIDDEN/)).answer).toMatch(/^HTTP\/1.1 403 .*FORBIDDEN/s);
  const own = foreign.replace('https://evil.example', 'http://localhost');
  expect((await send(own, /101/)).answer).toMatch(/^HTTP\/1.1 101 /);
});

test('an echo is answered with nothing, to pages of any origin, and not by the application', async () => {
  const echo = (target: string, method = 'GET') =>
    send(
      `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://play.example\r\n\r\n`,
      /\r\n\r\n/,
    );
  const { answer } = await echo('/echo');
  expect(answer).toMatch(/^HTTP\/1.1 204 /);
  expect(answer.toLowerCase()).toContain('access-control-allow-origin: *\r\n');
  expect(answer.length).toBeLessThan(300);
  for (const [target, method] of [
    ['/echo?x', 'GET'],
    ['/echo/', 'GET'],
    ['/echo', 'POST'],
  ] as const)
    expect((await echo(target, method)).answer).toMatch(/^HTTP\/1.1 200 /);
});
