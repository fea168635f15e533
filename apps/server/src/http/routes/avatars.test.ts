import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { hollowPng, PNG_SIGNATURE } from '../../../testing/hollow-png.ts';
import { newUser } from '../../../testing/new-user.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../../accounts/sessions.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { type UserRow, users } from '../../platform/database/people.ts';
import { openFolderStorage } from '../../platform/storage/storage.ts';
import { registerAvatars } from './avatars.ts';

const folder = mkdtempSync(join(tmpdir(), 'engulf-avatars-'));
let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let addresses = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { storage: openFolderStorage(folder) });
  ({ app } = await createTestApp(context, { RATE_LIMIT_SCALE: '1' }));
  registerAvatars(app, context);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

type Upload = { fileName?: string; type?: string; isPiecemeal?: boolean };

async function upload(
  user: UserRow | undefined,
  file: Uint8Array,
  { fileName = 'me.png', type = 'image/png', isPiecemeal = false }: Upload = {},
) {
  const boundary = 'x-boundary-x';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/auth/profile/avatar',
    remoteAddress: `10.1.0.${addresses++ % 250}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    ...(user && { cookies: { [SESSION_COOKIE]: await openSession(context, database.db, user.id) } }),
    payload: isPiecemeal ? Readable.from([form]) : form,
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

const avatarOf = async ({ id }: UserRow) =>
  (await database.db.select().from(users).where(eq(users.id, id)))[0]!.avatarUrl;

const picture = (widthPx: number, heightPx = widthPx) =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#4fe08f' } });

describe('a good picture', () => {
  test.each([
    ['PNG', (side: number) => picture(side).png().toBuffer()],
    ['JPG', (side: number) => picture(side).jpeg().toBuffer()],
  ])('as %s becomes a square PNG that everyone can see and nobody has to load twice', async (_, make) => {
    const user = await newUser(database.db);
    const { status, body } = await upload(user, await make(300));
    expect(status).toBe(200);
    expect(body.newValue).toMatch(/^\/avatars\/[0-9a-f]{64}\.png$/);
    expect(await avatarOf(user)).toBe(body.newValue);
    const seen = await app.inject({ url: body.newValue });
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(seen.rawPayload).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });
  });

  test('keeps nothing of its file but the pixels', async () => {
    const secret = 'taken at home';
    const file = await picture(300)
      .withExif({ IFD0: { ImageDescription: secret }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    expect(file.includes(secret)).toBe(true);
    const script = Buffer.from('<script>alert(1)</script>');
    const { body } = await upload(await newUser(database.db), Buffer.concat([file, script]));
    const { rawPayload } = await app.inject({ url: body.newValue });
    expect(rawPayload.includes(secret)).toBe(false);
    expect(rawPayload.includes('script')).toBe(false);
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined();
  });

  test('is what its bytes say, whatever its name and declared type', async () => {
    const file = await picture(300).jpeg().toBuffer();
    const { status } = await upload(await newUser(database.db), file, {
      fileName: 'a.svg',
      type: 'text/html',
    });
    expect(status).toBe(200);
  });

  test('is stored once, however many players have it', async () => {
    const file = await picture(301).png().toBuffer();
    const first = await upload(await newUser(database.db), file);
    const before = readdirSync(join(folder, 'avatars')).length;
    const second = await upload(await newUser(database.db), file);
    expect(second.body.newValue).toBe(first.body.newValue);
    expect(readdirSync(join(folder, 'avatars'))).toHaveLength(before);
  });
});

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><script>alert(1)</script></svg>';

const animatedPng = async () => {
  const still = await picture(300).png().toBuffer();
  const control = Buffer.alloc(20);
  control.writeUInt32BE(8, 0);
  control.write('acTL', 4);
  control.writeUInt32BE(2, 8);
  control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
  // After the signature and the header.
  return Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
};

const WRONG_TYPE = [415, 'Only PNG or JPG images are allowed.'] as const;
const INVALID = [422, 'Invalid image file'] as const;
const TOO_BIG = [422, 'Image must be less than 4096 x 4096 pixels.'] as const;

describe('a bad file is refused and changes nothing:', () => {
  const files: [string, () => Promise<Uint8Array> | Uint8Array, readonly [number, string]][] = [
    ['an SVG', () => Buffer.from(SVG), WRONG_TYPE],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), WRONG_TYPE],
    ['a GIF', () => picture(300).gif().toBuffer(), WRONG_TYPE],
    ['a WebP', () => picture(300).webp().toBuffer(), WRONG_TYPE],
    ['an animated PNG', animatedPng, WRONG_TYPE],
    ['an empty file', () => new Uint8Array(), WRONG_TYPE],
    [
      'the first bytes of a PNG before an SVG',
      () => Buffer.concat([PNG_SIGNATURE, Buffer.from(SVG)]),
      WRONG_TYPE,
    ],
    [
      'the first bytes of a JPG before a page',
      () => Buffer.from(`\xff\xd8\xff\xe0<html>${SVG}`, 'latin1'),
      INVALID,
    ],
    ['a truncated PNG', async () => (await noise(400).png().toBuffer()).subarray(0, 20_000), INVALID],
    ['a truncated JPG', async () => (await noise(400).jpeg().toBuffer()).subarray(0, 20_000), INVALID],
    [
      'a small picture',
      () => picture(127).png().toBuffer(),
      [422, 'Image must be greater than 128 x 128 pixels.'],
    ],
    [
      'a narrow picture',
      () => picture(100, 400).png().toBuffer(),
      [422, 'Image must be greater than 128 x 128 pixels.'],
    ],
    ['a wide picture', () => picture(4_097, 200).png().toBuffer(), TOO_BIG],
    ['a bomb of 65,000 x 65,000 pixels', () => hollowPng(65_000, 65_000), INVALID],
    ['a bomb of 4,096 x 4,096 pixels', () => hollowPng(4_096, 4_096), INVALID],
    [
      'a file of 6 MB',
      () => noise(1_500).png({ compressionLevel: 0 }).toBuffer(),
      [413, 'Image must be less than 5 MB'],
    ],
  ];
  test.each(files)('%s', async (_name, make, [status, message]) => {
    const user = await newUser(database.db, { avatarUrl: '/avatars/before.png' });
    const before = readdirSync(join(folder, 'avatars'));
    expect(await upload(user, await make())).toMatchObject({ status, body: { message } });
    expect(await avatarOf(user)).toBe('/avatars/before.png');
    expect(readdirSync(join(folder, 'avatars'))).toEqual(before);
  });
});

/** Does not pack well. */
const noise = (sidePx: number) =>
  sharp({
    create: {
      width: sidePx,
      height: sidePx,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

test('a visitor is refused before the file is read', async () => {
  expect(await upload(undefined, await picture(300).png().toBuffer())).toMatchObject({ status: 401 });
});

test('a body that is not a form is refused', async () => {
  const user = await newUser(database.db);
  const cookies = { [SESSION_COOKIE]: await openSession(context, database.db, user.id) };
  const call = { method: 'PUT', url: '/api/auth/profile/avatar', cookies } as const;
  expect((await app.inject({ ...call, payload: { image: 'x' } })).statusCode).toBe(400);
  const broken = { 'content-type': 'multipart/form-data; boundary=b' };
  expect((await app.inject({ ...call, headers: broken, payload: '--b\r\nnothing' })).statusCode).toBe(400);
  expect((await app.inject({ ...call, headers: { 'content-type': 'multipart/form-data' } })).statusCode).toBe(
    400,
  );
});

test.each(['x.png', `${'0'.repeat(64)}.png`, '..%2f..%2fsecret', `${'0'.repeat(64)}.svg`, '%00'])(
  'there is no picture /avatars/%s, and that is not cached',
  async (name) => {
    const { statusCode, headers } = await app.inject({ url: `/avatars/${name}` });
    expect(statusCode).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  },
);

test('a form without a length, which could come byte by byte, is not read', async () => {
  const file = await picture(200).png().toBuffer();
  expect(await upload(await newUser(database.db), file, { isPiecemeal: true })).toMatchObject({
    status: 400,
  });
});
