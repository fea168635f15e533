import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOM_CLIENT_MESSAGES } from '@engulf/protocol/room/client-messages';
import { FIRST_MESSAGES } from '@engulf/protocol/room/join';
import { ROOM_SERVER_MESSAGES } from '@engulf/protocol/room/server-messages';
import { ROOM_STATE_MESSAGES } from '@engulf/protocol/room/state-messages';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { openChat } from '../../chat/chat.ts';
import type { MenuSocket } from '../../menu/menu-socket.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { openFolderStorage } from '../../platform/storage/storage.ts';
import { openPrices } from '../../prices/prices.ts';
import { startApi } from '../../roles/api.ts';
import { createSocial } from '../../social/setup.ts';
import type { ApiDescription } from './describe-api.ts';
import { ROUTE_TEXTS } from './route-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'engulf-docs-'));
let database: OpenDatabase;
let app: FastifyInstance;
let menu: MenuSocket;
let api: ApiDescription;

beforeAll(async () => {
  database = await openTestDatabase();
  const bare = createBareContext(database.db, { storage: openFolderStorage(folder) });
  const context = { ...bare, chain: { ...bare.chain, test: {} as Context['chain']['test'] } };
  const { config, site, ...created } = await createTestApp(context);
  app = created.app;
  writeFileSync(join(folder, 'index.html'), '<html></html>');
  menu = await startApi(context, {
    ...created,
    config,
    chat: openChat(context, { limitScale: 1 }),
    prices: openPrices({ kind: 'none' }, { testMint: undefined, ...context }),
    site,
    social: createSocial(config, () => 'http://localhost'),
    webFolder: folder,
  });
  await app.ready();
  api = JSON.parse((await app.inject({ url: '/docs/openapi.json' })).body);
});
afterAll(async () => {
  menu.close();
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const routes = () => app.knownRoutes.map(({ method, path }) => `${method} ${path}`);

test('every route has its line, and every line a route', () => {
  expect(routes().filter((route) => !ROUTE_TEXTS.has(route))).toEqual([]);
  const known = new Set(routes());
  expect([...ROUTE_TEXTS.keys()].filter((route) => !known.has(route))).toEqual([]);
  expect(routes().length).toBeGreaterThan(40);
});

test('every route is in the document', () => {
  const described = Object.values(api.paths).flatMap((methods) => Object.keys(methods));
  expect(described).toHaveLength(new Set(routes()).size);
});

test('the document has the shape of OpenAPI 3.1', () => {
  expect(api).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Engulf' },
    servers: [{ url: 'http://localhost:1' }],
  });
  for (const [path, methods] of Object.entries(api.paths)) {
    expect(path).toMatch(/^\/[\w/{}-]+$/);
    for (const [method, operation] of Object.entries(methods)) {
      expect(['get', 'post', 'put']).toContain(method);
      expect(operation.summary).toMatch(/\.$/);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(operation.responses).toHaveProperty('default');
      for (const { content = {} } of Object.values(operation.responses))
        for (const { schema } of Object.values(content)) expect(schema).toBeTypeOf('object');
    }
  }
});

test('schemas, sessions and limits are those that are enforced', () => {
  const join = api.paths['/api/serverBrowser/join-lobby']!['post']!;
  expect(join.security).toEqual([{ session: [] }]);
  expect(join.description).toBe('At most 30 calls in 60 s from an address.');
  expect(join.requestBody!.content['application/json']!.schema).toMatchObject({
    type: 'object',
    required: ['selectedLobbyId'],
    additionalProperties: false,
  });
  const games = api.paths['/api/dashboard/games_history']!['get']!;
  expect(games.parameters).toMatchObject([{ name: 'page', in: 'query', required: false }]);
  expect(api.paths['/api/config']!['get']!.security).toEqual([]);
  expect(api.paths['/api/upload']!['post']!.requestBody!.content).toHaveProperty('multipart/form-data');
});

test('the page names every call and loads nothing from elsewhere', async () => {
  const page = await app.inject({ url: '/docs' });
  expect(page.statusCode).toBe(200);
  for (const path of Object.keys(api.paths)) expect(page.body).toContain(`<code>${path}</code>`);
  expect(page.body).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(Buffer.byteLength(page.body)).toBeLessThan(400_000);
});

type Described = { readonly summary: string; readonly payload: object };

test('every message of rooms and menu is in the AsyncAPI document, with its fields and limits', async () => {
  const { asyncapi, channels, operations } = JSON.parse(
    (await app.inject({ url: '/docs/asyncapi.json' })).body,
  );
  expect(asyncapi).toBe('3.0.0');
  const room = channels.room.messages;
  for (const type of Object.keys({ ...FIRST_MESSAGES, ...ROOM_CLIENT_MESSAGES, ...ROOM_STATE_MESSAGES })) {
    expect(room).toHaveProperty([type]);
  }
  for (const type of Object.keys(ROOM_SERVER_MESSAGES)) {
    expect(Object.values<{ name: string }>(room).map(({ name }) => name)).toContain(type);
  }
  expect(room.movement).toMatchObject({
    'x-number': ROOM_CLIENT_MESSAGES.movement.number,
    'x-limit': ROOM_CLIENT_MESSAGES.movement.limit,
    payload: { properties: { x: { type: 'number', description: expect.stringContaining('World units') } } },
  });
  expect(room.deltaUpdate.payload.properties.food.properties).toHaveProperty('remove');
  expect(channels.menu.messages).toHaveProperty('lobby_update');
  for (const { summary, payload } of [room, channels.menu.messages].flatMap<Described>(Object.values)) {
    expect(summary).toMatch(/\.$/);
    expect(payload).toBeTypeOf('object');
  }
  const sent = Object.values<{ messages: { $ref: string }[] }>(operations).flatMap(
    ({ messages }) => messages,
  );
  for (const { $ref } of sent) {
    const [, , channel, , key] = $ref.split('/');
    expect(channels[channel!].messages, $ref).toHaveProperty([key!]);
  }
});
