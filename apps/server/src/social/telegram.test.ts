import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { telegramAccounts } from '../platform/database/social.ts';
import { isInGroup, readTelegram, startLink, type TelegramBot } from './telegram.ts';

const GROUP = 'https://t.me/engulf';
let database: OpenDatabase;
let context: Context;
let telegram: Server;
let bot: TelegramBot;
/** What Telegram knows: messages to the bot, and the members of the group. */
let updates: { update_id: number; message: { text: string; from: { id: number } } }[] = [];
const members = new Set<number>();
let isBusy = false;
let updateId = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
  telegram = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const method = request.url!.split('/').at(-1);
    if (isBusy) {
      response.writeHead(429).end(JSON.stringify({ ok: false, parameters: { retry_after: 7 } }));
      return;
    }
    const answers: Record<string, () => unknown> = {
      getUpdates: () => updates.filter(({ update_id }) => update_id >= body.offset),
      getChatMember: () => ({ status: members.has(body.user_id) ? 'member' : 'left' }),
      sendMessage: () => ({}),
    };
    response.end(JSON.stringify({ ok: true, result: answers[method!]!() }));
  });
  await new Promise<void>((done) => telegram.listen(0, '127.0.0.1', done));
  const { port } = telegram.address() as AddressInfo;
  bot = { apiUrl: `http://127.0.0.1:${port}`, token: '1:secret', name: 'engulf_bot' };
});
afterAll(async () => {
  telegram.close();
  await database.close();
});
beforeEach(() => {
  updates = [];
  isBusy = false;
});

const newUserId = async () => (await newUser(database.db)).id;

/** Presses Start in the chat with the bot. */
function pressStart(link: string, telegramId: number): void {
  const start = new URL(link).searchParams.get('start')!;
  updates.push({ update_id: ++updateId, message: { text: `/start ${start}`, from: { id: telegramId } } });
}

const DONE = { ok: true, value: true };
const NOT_DONE = { ok: true, value: false };

test('who pressed Start and is in the group has joined, and nobody else', async () => {
  const [user, other] = [await newUserId(), await newUserId()];
  members.add(501);
  expect(await isInGroup(context, bot, user, GROUP)).toEqual(NOT_DONE);
  pressStart(startLink(context.keys.telegram, bot, user), 501);
  pressStart(startLink(context.keys.telegram, bot, other), 502);
  await readTelegram(context, bot);
  expect(await isInGroup(context, bot, user, GROUP)).toEqual(DONE);
  expect(await isInGroup(context, bot, other, GROUP)).toEqual(NOT_DONE);
  members.delete(501);
  expect(await isInGroup(context, bot, user, GROUP)).toEqual(NOT_DONE);
});

test('a start link that was made up connects nobody', async () => {
  const [user, victim] = [await newUserId(), await newUserId()];
  const code = new URL(startLink(context.keys.telegram, bot, user)).searchParams.get('start')!.split('_')[1];
  pressStart(`https://t.me/engulf_bot?start=${victim.replaceAll('-', '')}_${code}`, 601);
  pressStart('https://t.me/engulf_bot?start=nonsense', 602);
  pressStart(startLink(new Uint8Array(32), bot, victim), 603);
  await readTelegram(context, bot);
  const connected = (await database.db.select().from(telegramAccounts)).map(({ userId }) => userId);
  expect(connected).not.toContain(victim);
});

test('one Telegram account serves one user, also when two workers read the same message', async () => {
  const [first, second] = [await newUserId(), await newUserId()];
  members.add(701);
  pressStart(startLink(context.keys.telegram, bot, first), 701);
  pressStart(startLink(context.keys.telegram, bot, second), 701);
  await Promise.all([readTelegram(context, bot), readTelegram(context, bot)]);
  expect(await isInGroup(context, bot, first, GROUP)).toEqual(DONE);
  expect(await isInGroup(context, bot, second, GROUP)).toEqual(NOT_DONE);
});

test('Telegram says when to ask again', async () => {
  const user = await newUserId();
  pressStart(startLink(context.keys.telegram, bot, user), 801);
  await readTelegram(context, bot);
  isBusy = true;
  expect(await isInGroup(context, bot, user, GROUP)).toEqual({
    ok: false,
    error: { kind: 'rate-limited', retryAfterMs: 7_000 },
  });
});
