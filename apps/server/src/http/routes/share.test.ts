import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lobbyId } from '@engulf/domain/ids/entity-ids';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { insertCashOut, type NewEntry } from '../../../testing/cash-out.ts';
import { hollowPng } from '../../../testing/hollow-png.ts';
import { newLobby, newPaidLobby } from '../../../testing/new-lobby.ts';
import { newUser } from '../../../testing/new-user.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../../accounts/sessions.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import type { UserRow } from '../../platform/database/people.ts';
import { shareCards } from '../../platform/database/share.ts';
import { openFolderStorage } from '../../platform/storage/storage.ts';
import { registerShare } from './share.ts';

const folder = mkdtempSync(join(tmpdir(), 'engulf-share-'));
const paidLobby = lobbyId(randomUUID());
const freeLobby = lobbyId(randomUUID());
let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let png: Buffer;
let addresses = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { storage: openFolderStorage(folder) });
  await newPaidLobby(database.db, { id: paidLobby, name: 'Mitosis', entryFee: 100_000_000n });
  await newLobby(database.db, { id: freeLobby, name: '<b>Dish</b>' });
  const variables = { PUBLIC_URL: 'http://localhost:7100', RATE_LIMIT_SCALE: '1' };
  const { site, ...created } = await createTestApp(context, variables);
  app = created.app;
  registerShare(app, context, site);
  await app.ready();
  png = await sharp({ create: { width: 600, height: 315, channels: 3, background: '#4fe08f' } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const newEntry = (user: UserRow, change: NewEntry = {}) =>
  insertCashOut(database.db, { userId: user.id, lobbyId: paidLobby, ...change });

type Sharing = { file?: Uint8Array | undefined; entryId?: string; address?: string };

async function share(user: UserRow | undefined, { file, entryId, address }: Sharing) {
  const form = new FormData();
  if (file) form.append('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'card.png');
  if (entryId !== undefined) form.append('entryId', entryId);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/upload',
    remoteAddress: address ?? `10.2.0.${addresses++ % 250}`,
    headers: { 'content-type': request.headers.get('content-type')! },
    ...(user && { cookies: { [SESSION_COOKIE]: await openSession(context, database.db, user.id) } }),
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

const cardsOf = ({ id }: UserRow) => database.db.select().from(shareCards).where(eq(shareCards.userId, id));

describe('a cash-out', () => {
  test('gets one card, drawn here at twice its size and the same however often it is shared', async () => {
    const user = await newUser(database.db, { name: 'MoonYolk' });
    const entryId = await newEntry(user);
    const first = await share(user, { file: png });
    expect(first.status).toBe(200);
    expect(first.body.url).toMatch(/^http:\/\/localhost:7100\/share-cards\/[0-9a-f]{64}\.png$/);
    expect(await share(user, { entryId })).toEqual(first);
    const both = await Promise.all([share(user, { file: png, entryId }), share(user, { entryId })]);
    expect(both).toEqual([first, first]);
    expect(await cardsOf(user)).toHaveLength(1);

    const picture = await app.inject({ url: new URL(first.body.url).pathname });
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: 2400, height: 1260 });
    expect(picture.rawPayload.equals(png)).toBe(false);
  });

  test('gets one card when it is shared twice at the same moment', async () => {
    const user = await newUser(database.db);
    const entryId = await newEntry(user);
    const [first, second] = await Promise.all([share(user, { entryId }), share(user, { entryId })]);
    expect(second).toEqual(first);
    expect(await cardsOf(user)).toHaveLength(1);
  });

  test('is the latest one if none is named', async () => {
    const user = await newUser(database.db);
    await newEntry(user, { createdAt: new Date(1_000), payoutAmount: 1n });
    const latest = await newEntry(user, { createdAt: new Date(3_000) });
    await newEntry(user, { createdAt: new Date(4_000), outcome: 'killed', payoutAmount: 0n });
    await share(user, { file: png });
    expect(await cardsOf(user)).toMatchObject([{ entryId: latest }]);
  });

  test('looks different with other figures, and with the picture of its player', async () => {
    const avatarUrl = `/avatars/${'a'.repeat(64)}.png`;
    await context.storage.put(avatarUrl.slice(1), png, 'image/png');
    const addressOf = async (profile: Parameters<typeof newUser>[1], change: NewEntry) => {
      const user = await newUser(database.db, profile);
      await newEntry(user, change);
      return (await share(user, { file: png })).body.url;
    };
    const name = 'SameName';
    const addresses = [
      await addressOf({ name: `${name}1` }, {}),
      await addressOf({ name: `${name}2` }, { payoutAmount: 343_000_000n }),
      await addressOf({ name: `${name}3`, avatarUrl }, {}),
    ];
    expect(new Set(addresses).size).toBe(3);
  });
});

describe('nothing is shared', () => {
  const refusals: [string, (user: UserRow) => Promise<Sharing>, number, string][] = [
    [
      'of somebody else',
      async () => ({ entryId: await newEntry(await newUser(database.db)) }),
      404,
      'SHARE_ENTRY_NOT_FOUND',
    ],
    ['of a game that there is not', async () => ({ entryId: randomUUID() }), 404, 'SHARE_ENTRY_NOT_FOUND'],
    ['of an id that is none', async () => ({ entryId: "' or 1=1" }), 404, 'SHARE_ENTRY_NOT_FOUND'],
    ['of an id that no database takes', async () => ({ entryId: 'a\u0000' }), 404, 'SHARE_ENTRY_NOT_FOUND'],
    ['by a player without a cash-out', async () => ({ file: png }), 404, 'SHARE_ENTRY_NOT_FOUND'],
    [
      'of a death',
      async (user) => ({ entryId: await newEntry(user, { outcome: 'killed', payoutAmount: 0n }) }),
      409,
      'SHARE_NOT_CASHED_OUT',
    ],
    [
      'of a refund',
      async (user) => ({ entryId: await newEntry(user, { outcome: 'forfeit' }) }),
      409,
      'SHARE_NOT_CASHED_OUT',
    ],
    [
      'of a game that is not settled',
      async (user) => {
        const running = { state: 'playing', outcome: null, payoutAmount: null, endedAt: null } as const;
        return { entryId: await newEntry(user, running) };
      },
      409,
      'SHARE_NOT_CASHED_OUT',
    ],
    ['without a file or a game', async () => ({}), 400, 'INVALID_REQUEST'],
    ['with a page for a file', bad(Buffer.from('<script>')), 422, 'SHARE_FILE_INVALID'],
    ['with an SVG', bad(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 422, 'SHARE_FILE_INVALID'],
    ['with a bomb of 65,000 x 65,000 pixels', bad(hollowPng(65_000, 65_000)), 422, 'SHARE_FILE_INVALID'],
    ['with a picture that is too wide', bad(hollowPng(2_401, 100)), 422, 'SHARE_FILE_INVALID'],
    ['with a file of 9 MB', bad(Buffer.alloc(9 * 1024 * 1024)), 413, 'PAYLOAD_TOO_LARGE'],
  ];
  test.each(refusals)('%s', async (_, prepare, status, error) => {
    const user = await newUser(database.db);
    expect(await share(user, await prepare(user))).toMatchObject({ status, body: { error } });
    expect(await cardsOf(user)).toEqual([]);
  });

  function bad(file: Uint8Array) {
    return async (user: UserRow) => {
      await newEntry(user);
      return { file };
    };
  }

  test('by a visitor', async () => {
    expect(await share(undefined, { file: png })).toMatchObject({ status: 401 });
  });

  test('more than ten times a minute from one address', async () => {
    const user = await newUser(database.db);
    const entryId = await newEntry(user, { outcome: 'killed' });
    const statuses = [];
    for (let call = 0; call < 11; call++)
      statuses.push((await share(user, { entryId, address: '10.3.0.1' })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429]);
  });
});

describe('the public page', () => {
  async function openPage(change: NewEntry = {}) {
    const user = await newUser(database.db);
    await newEntry(user, change);
    const { body } = await share(user, { file: png });
    return { user, ...body, page: await app.inject({ url: `/winningshare/${body.key}` }) };
  }

  test('tells crawlers what it is about without running anything', async () => {
    const { user, url, key, page } = await openPage();
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const tags = new Map(
      [...page.body.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    expect(Object.fromEntries(tags)).toMatchObject({
      'og:title': `${user.name} left with x3.42`,
      'og:description': '+0.342 SOL ($48.77), out through the portal in Mitosis.',
      'og:image': url,
      'og:image:width': '2400',
      'og:image:height': '1260',
      'og:url': `http://localhost:7100/winningshare/${key}`,
      'twitter:card': 'summary_large_image',
      'twitter:image': url,
    });
    expect(page.body).toContain(`<img class="card" src="${new URL(url).pathname}"`);
    expect(page.body).toContain('<a class="button" href="/">');
    expect(page.body).not.toContain('<script');
  });

  test('lets nothing run, be framed or come from elsewhere', async () => {
    const { page } = await openPage();
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('script-src');
  });

  test('calls play money so, escapes names, and shows a loss without the colour of a profit', async () => {
    const free = await openPage({
      lobbyId: freeLobby,
      entryFee: 0n,
      stake: 1_000_000n,
      payoutAmount: 3_500_000n,
    });
    expect(free.page.body).toContain('+3.50 USD (play money)');
    expect(free.page.body).toContain('&lt;b&gt;Dish&lt;/b&gt;');
    expect(free.page.body).not.toContain('<b>Dish');
    expect(free.page.body).not.toContain('class="gain"');
    const loss = await openPage({ payoutAmount: 99_000_000n });
    expect(loss.page.body).toContain('x0.99');
    expect(loss.page.body).not.toContain('class="gain"');
    expect((await openPage()).page.body).toContain('class="gain"');
  });

  test.each(['', 'x', 'A'.repeat(16), '..%2f..%2fsecret', '%00', "'"])(
    'does not exist for the key "%s"',
    async (key) => {
      const { statusCode, headers, body } = await app.inject({ url: `/winningshare/${key}` });
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('No such card');
    },
  );
});
