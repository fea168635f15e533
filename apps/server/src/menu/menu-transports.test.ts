import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket as TcpSocket } from 'node:net';
import { MENU_TRANSPORTS } from '@engulf/protocol/menu/transports';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MenuServer, startMenuServer } from '../../testing/menu-server.ts';

/* How the page connects, through a network that may not let WebSockets through. */

let menus: MenuServer[];
let network: Server;
let blocksWebSockets = false;
/** As `ip_hash` in nginx does. */
let keepsToOneProcess = false;
let requests: string[] = [];
const connections = new Set<TcpSocket>();
const sockets: Socket[] = [];

beforeAll(async () => {
  menus = await Promise.all([startMenuServer(), startMenuServer()]);
  let turn = 0;
  network = createServer((visitor) => {
    const menu = connect(menus[keepsToOneProcess ? 0 : turn++ % 2]!.port, '127.0.0.1');
    for (const end of [visitor, menu]) {
      connections.add(end);
      end.on('error', () => end.destroy());
    }
    visitor.on('close', () => menu.destroy());
    menu.on('close', () => visitor.destroy());
    visitor.on('data', (chunk) => {
      const request = /^(GET|POST) \S+/.exec(chunk.toString('latin1'))?.[0];
      if (request) requests.push(request);
      if (blocksWebSockets && request?.includes('transport=websocket')) visitor.destroy();
      else menu.write(chunk);
    });
    menu.pipe(visitor);
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  for (const connection of connections) connection.destroy();
  connections.clear();
  requests = [];
});
afterAll(async () => {
  network.close();
  await Promise.all(menus.map((menu) => menu.dispose()));
});

async function open(): Promise<Socket> {
  const { port } = network.address() as AddressInfo;
  const socket = io(`http://127.0.0.1:${port}`, {
    ...MENU_TRANSPORTS,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': '203.0.113.20' },
  });
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

async function isAnswered(socket: Socket): Promise<boolean> {
  const answer = new Promise((resolve) => socket.once('lobby', resolve));
  socket.emit('register', 'anonymous');
  return Array.isArray(await answer);
}

test('a menu socket is one WebSocket and nothing else, so any of several processes may take it', async () => {
  const trio = await Promise.all([open(), open(), open()]);
  for (const socket of trio) {
    expect(await isAnswered(socket)).toBe(true);
    expect(socket.io.engine.transport.name).toBe('websocket');
  }
  expect(requests).toEqual(
    trio.map(() => expect.stringMatching(/^GET \/socket\.io\/\?.*transport=websocket/)),
  );
});

test('where WebSockets do not get through, it polls', async () => {
  [blocksWebSockets, keepsToOneProcess] = [true, true];
  const socket = await open();
  expect(await isAnswered(socket)).toBe(true);
  expect(socket.io.engine.transport.name).toBe('polling');
});
