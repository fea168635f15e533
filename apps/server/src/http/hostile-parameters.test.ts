import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONSOLE_VIEWS } from '@engulf/protocol/http/console';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../accounts/sessions.ts';
import { openChat } from '../chat/chat.ts';
import type { MenuSocket } from '../menu/menu-socket.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { openFolderStorage } from '../platform/storage/storage.ts';
import { openPrices } from '../prices/prices.ts';
import { startApi } from '../roles/api.ts';
import { createSocial } from '../social/setup.ts';

type Route = { readonly url: string; readonly fields: readonly string[] };

const folder = mkdtempSync(join(tmpdir(), 'engulf-hostile-'));
const routes: Route[] = [];
let database: OpenDatabase;
let app: FastifyInstance;
let menu: MenuSocket;
let cookie: string;
/** What brings a call past the checks of its other fields. */
let usual: { readonly [field: string]: readonly string[] };

beforeAll(async () => {
  database = await openTestDatabase();
  const context = createBareContext(database.db, { storage: openFolderStorage(folder) });
  const { config, site, ...created } = await createTestApp(context, { RATE_LIMIT_SCALE: '1000' });
  app = created.app;
  app.addHook('onRoute', ({ method, url, schema }) => {
    // The X that developers play with is in no production.
    if (![method].flat().includes('GET') || url.startsWith('/dev/x')) return;
    const query = schema?.querystring instanceof z.ZodObject ? Object.keys(schema.querystring.shape) : [];
    routes.push({ url, fields: query });
  });
  for (const name of ['index.html', 'replay.html']) writeFileSync(join(folder, name), '<html></html>');
  menu = await startApi(context, {
    ...created,
    config,
    chat: openChat(context, { limitScale: 1000 }),
    prices: openPrices({ kind: 'none' }, { testMint: undefined, ...context }),
    site,
    social: createSocial(config, () => 'http://localhost'),
    webFolder: folder,
  });
  await app.ready();
  const { id } = await newUser(database.db, { role: 'admin', isRaffleWinner: true });
  cookie = `${SESSION_COOKIE}=${await openSession(context, database.db, id)}`;
  const lobby = await newPaidLobby(database.db);
  usual = { view: CONSOLE_VIEWS, lobbyId: [lobby.id], id: [randomUUID()], day: ['2026-01-01'] };
});
afterAll(async () => {
  menu.close();
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const HOSTILE = [
  ...['', ' ', '0', '-1', '-0', '1.5', 'NaN', 'Infinity', '1e400', '0x10', '9'.repeat(15), '9'.repeat(18)],
  ...['9'.repeat(400), `-${'9'.repeat(30)}`, '-'.repeat(36), 'f'.repeat(36), 'x'.repeat(10_000)],
  ...['\0', 'a\0b', 'Ω≈💥', '\u202e', '\ufffe', "'; --", '%_\\', '../../etc/passwd', '..', '{}', '[]'],
  ...['__proto__', 'constructor', 'null', '0000-01-01', '9999-12-31', '0000-01-01T00:00:00.000Z'],
  ...['9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '275760'],
].map(encodeURIComponent);
/** Texts of bytes that are no text at all. */
const MALFORMED = ['%', '%ff', '%ed%a0%80', '%c0%80', '%u0000'];

const withField = (url: string, name: string, value: string) =>
  url.replace(name === '*' ? '*' : `:${name}`, value);

/** The addresses of a route, each with one value that is odd. */
function addressesOf({ url, fields }: Route): string[] {
  const names = url.match(/(?<=:)\w+|\*/g) ?? [];
  const query = (wanted: readonly (readonly [string, string])[]) =>
    wanted.length === 0 ? '' : `?${wanted.map((pair) => pair.join('=')).join('&')}`;
  const sound = (field: string) => usual[field] ?? ['1'];
  const soundPath = names.reduce((path, name) => withField(path, name, sound(name)[0]!), url);
  const odd = [...HOSTILE, ...MALFORMED];
  const inPath = names.flatMap((name) =>
    odd.map((value) => {
      const rest = names.reduce((path, other) => (other === name ? path : withField(path, other, '1')), url);
      return withField(rest, name, value);
    }),
  );
  const views = fields.includes('view') ? sound('view') : [undefined];
  const inQuery = fields.flatMap((field) =>
    views.flatMap((view) => {
      const about = view !== undefined && field !== 'view' ? [['view', view] as const] : [];
      // Each alone, and with the others that a call needs.
      const others = fields
        .filter((other) => other !== field && other !== 'view' && view === undefined)
        .map((other) => [other, sound(other)[0]!] as const);
      return [...odd, `1&${field}=2`].flatMap((value) => [
        soundPath + query([...about, [field, value]]),
        ...(others.length === 0 ? [] : [soundPath + query([...others, [field, value]])]),
      ]);
    }),
  );
  return [...inPath, ...inQuery];
}

test('whatever stands in the address of a call, its answer is never a failure of the server', async () => {
  const asked = routes.flatMap(addressesOf);
  // Or the routes would no longer be noted.
  expect(asked.length).toBeGreaterThan(1_000);
  const failed = new Set<string>();
  for (const url of asked) {
    const { statusCode, body } = await app.inject({ method: 'GET', url, headers: { cookie } });
    // A refusal that has a code of its own: a sign-in at X that X, or nobody, knows of.
    const isRefusal = statusCode === 502 && JSON.parse(body).error === 'SOCIAL_CONNECTION_FAILED';
    if (statusCode >= 500 && !isRefusal) failed.add(`${statusCode} ${url.slice(0, 160)}`);
  }
  expect([...failed]).toEqual([]);
}, 120_000);
