import { randomUUID } from 'node:crypto';
import { lobbyId } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import { chatMessages, chatMutes } from '../platform/database/chat.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { auditLog } from '../platform/database/operations.ts';
import { createLoneState } from '../platform/fleet/shared-state.ts';
import { writeSwitch } from '../platform/switches.ts';
import { type Chat, type ChatAuthor, openChat } from './chat.ts';
import type { ChatEvent } from './chat-event.ts';
import { forgetOldMessages } from './messages.ts';

const FIRST_PAGE = { page: 1, perPage: 10 };
const DAY_MS = 24 * 60 * 60 * 1000;

let database: OpenDatabase;
let context: Context;
let chat: Chat;
let events: ChatEvent[];
let aheadMs = 0;
let addresses = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const nowMs = () => Date.UTC(2026, 0, 1) + aheadMs;
  context = createBareContext(database.db, { nowMs });
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of [chatMessages, chatMutes]) await database.db.delete(table);
  chat = openChat({ ...context, ...createLoneState(context) }, { limitScale: 1 });
  events = [];
  chat.subscribe((event) => events.push(event));
});

async function newAuthor(change: Parameters<typeof newUser>[1] = {}) {
  const user = await newUser(database.db, change);
  return { user, userId: user.id, address: `address ${addresses++}`, findUser: async () => user };
}

const say = (author: ChatAuthor, text: string) => chat.write(author, GLOBAL_CHANNEL, text);
const refused = (code: string) => ({ ok: false, error: { code } });

async function shownTexts(channel: Parameters<Chat['read']>[0] = GLOBAL_CHANNEL): Promise<string[]> {
  const read = await chat.read(channel, { page: 1, perPage: 50 }, 'reader');
  return read.ok ? read.value.data.map(({ message }) => message) : [read.error.code];
}

describe('a message', () => {
  test('of many at once is stored under its own author, in the order of writing', async () => {
    const authors = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => newAuthor({ name: `author${nth}` })),
    );
    const written = await Promise.all(authors.map((author, nth) => say(author, `line ${nth}`)));
    expect(written.every(({ ok }) => ok)).toBe(true);
    const read = await chat.read(GLOBAL_CHANNEL, { page: 1, perPage: 50 }, 'reader');
    const lines = read.ok
      ? read.value.data.map(({ sender, message }) => `${sender}: ${message}`).reverse()
      : [];
    expect(lines).toEqual(authors.map((_, nth) => `author${nth}: line ${nth}`));
  });

  test('is stored and told to the listeners, with the author that the session says', async () => {
    const author = await newAuthor({ name: 'Wobble', avatarUrl: '/avatars/a.png' });
    expect(await say(author, '  hello \u202ethere ')).toMatchObject({ ok: true });
    const message = {
      id: expect.stringMatching(/^\d+$/),
      sender: 'Wobble',
      lobbyId: 'global',
      user_id: author.user.id,
      message: 'hello there',
      avatarUrl: '/avatars/a.png',
      timestamp: context.nowMs(),
      type: 'user',
    };
    expect(events).toEqual([{ kind: 'message', message, isByAdmin: false }]);
    expect(await chat.read(GLOBAL_CHANNEL, FIRST_PAGE, 'reader')).toEqual({
      ok: true,
      value: { data: [message], hasMorePages: false, currentPage: 1 },
    });
  });

  test.each([
    ['what the FUCK is this', 'what the **** is this'],
    ['a classy assassin from Scunthorpe', 'a classy assassin from Scunthorpe'],
    ['ｆｕｃｋ off', '**** off'],
    ['shít happens', '**** happens'],
  ])('%j is shown as %j', async (text, shown) => {
    await say(await newAuthor(), text);
    expect(await shownTexts()).toEqual([shown]);
  });

  test.each([
    ['', 'CHAT_EMPTY'],
    ['\u200b \u2060', 'CHAT_EMPTY'],
    ['x'.repeat(201), 'CHAT_TOO_LONG'],
  ])('%j is refused with %s', async (text, code) => {
    expect(await say(await newAuthor(), text)).toMatchObject(refused(code));
    expect(events).toEqual([]);
  });

  test('stays in its channel', async () => {
    const lobby = lobbyId(randomUUID());
    await chat.write(await newAuthor(), lobby, 'in the arena');
    expect(await shownTexts()).toEqual([]);
    expect(await shownTexts(lobby)).toEqual(['in the arena']);
  });

  test('appears in a history that was read just before it', async () => {
    expect(await shownTexts()).toEqual([]);
    await say(await newAuthor(), 'new');
    expect(await shownTexts()).toEqual(['new']);
  });
});

test('the history has pages of ten, newest first', async () => {
  for (let nth = 1; nth <= 21; nth++) await say(await newAuthor(), `message ${nth}`);
  const pages = await Promise.all(
    [1, 2, 3].map((page) => chat.read(GLOBAL_CHANNEL, { page, perPage: 10 }, 'reader')),
  );
  expect(pages.map((page) => page.ok && [page.value.data.length, page.value.hasMorePages])).toEqual([
    [10, true],
    [10, true],
    [1, false],
  ]);
  expect(pages[0]!.ok && pages[0]!.value.data[0]!.message).toBe('message 21');
  expect(pages[2]!.ok && pages[2]!.value.data[0]!.message).toBe('message 1');
});

describe('writing is limited', () => {
  test('for a user, who may go on later', async () => {
    const author = await newAuthor();
    for (let nth = 0; nth < 5; nth++) expect(await say(author, 'again')).toMatchObject({ ok: true });
    const elsewhere = { ...author, address: 'another address' };
    expect(await say(elsewhere, 'again')).toMatchObject(refused('RATE_LIMITED'));
    aheadMs += 2_000;
    expect(await say(author, 'again')).toMatchObject({ ok: true });
  });

  test('for all accounts behind one address', async () => {
    let written = 0;
    for (let nth = 0; nth < 20; nth++) {
      const author = await newAuthor();
      if ((await say({ ...author, address: 'one address' }, 'hi')).ok) written++;
    }
    expect(written).toBe(15);
  });
});

test('recent pages come from memory while lines are written, and older ones are limited by address and in all', async () => {
  const at = new Date(context.nowMs());
  for (let nth = 0; nth < 150; nth++) {
    await database.db.insert(chatMessages).values({ channel: GLOBAL_CHANNEL, message: `line ${nth}`, at });
  }
  const { $client: client } = database.db as unknown as {
    $client: { query: (...parameters: unknown[]) => unknown };
  };
  const query = vi.spyOn(client, 'query');
  const author = await newAuthor();
  const read = (page: number, address: string) => chat.read(GLOBAL_CHANNEL, { page, perPage: 10 }, address);
  await read(1, 'reader');
  query.mockClear();
  expect(await read(10, 'reader')).toMatchObject({ value: { data: { length: 10 }, hasMorePages: true } });
  expect(query).not.toHaveBeenCalled();
  await say(author, 'newest');
  query.mockClear();
  expect(await read(1, 'reader')).toMatchObject({
    value: { data: [{ message: 'newest' }, { message: 'line 149' }, ...Array(8).fill({})] },
  });
  expect(query).not.toHaveBeenCalled();
  for (let nth = 0; nth < 20; nth++) expect(await read(12, 'reader')).toMatchObject({ ok: true });
  expect(await read(12, 'reader')).toMatchObject(refused('RATE_LIMITED'));
  expect(await read(10, 'reader')).toMatchObject({ ok: true });
  for (let nth = 0; nth < 40; nth++) expect(await read(12, `reader ${nth}`)).toMatchObject({ ok: true });
  expect(await read(12, 'one more')).toMatchObject(refused('RATE_LIMITED'));
  query.mockRestore();
});

test('a channel that many flood becomes slow: a few lines a second in all, and everybody one in a while', async () => {
  const flooders = await Promise.all(Array.from({ length: 40 }, () => newAuthor()));
  const flood = async () =>
    (await Promise.all(flooders.map((author) => say(author, 'spam')))).filter(({ ok }) => ok);
  expect((await flood()).length).toBeLessThanOrEqual(30 + 6);
  let lines = 0;
  for (let second = 0; second < 20; second++) {
    aheadMs += 1_000;
    lines += (await flood()).length;
  }
  expect(lines).toBeLessThanOrEqual(20 * 3 + 6);
  const late = await newAuthor();
  await say(late, 'What is going on?');
  expect(await say(late, 'Hello?')).toMatchObject({
    error: { code: 'CHAT_SLOW_MODE', context: { seconds: 15 } },
  });
  const admin = await newAuthor({ role: 'admin' });
  expect(await say(admin, 'Please stop')).toMatchObject({ ok: true });
  aheadMs += 60_000;
  expect(await say(flooders[0]!, 'hello')).toMatchObject({ ok: true });
  expect(await say(flooders[0]!, 'hello again')).toMatchObject({ ok: true });
});

describe('an admin', () => {
  const newAdmin = () => newAuthor({ role: 'admin' });
  const notedOf = ({ userId }: ChatAuthor) =>
    database.db.select().from(auditLog).where(eq(auditLog.actor, userId));

  test('clears a channel, and only that one', async () => {
    const lobby = lobbyId(randomUUID());
    await say(await newAuthor(), 'gone');
    await chat.write(await newAuthor(), lobby, 'kept');
    const admin = await newAdmin();
    expect(await say(admin, '/clear')).toMatchObject({ ok: true });
    expect(events.at(-1)).toEqual({ kind: 'removed', channel: GLOBAL_CHANNEL });
    expect(await shownTexts()).toEqual([]);
    expect(await shownTexts(lobby)).toEqual(['kept']);
    expect(await notedOf(admin)).toMatchObject([
      { action: 'chat clear', subject: 'global', details: { removed: 1 } },
    ]);
  });

  test('announces in the name of the server', async () => {
    await say(await newAdmin(), '/announce back in five minutes');
    const message = { sender: 'Engulf', user_id: null, type: 'system', message: 'back in five minutes' };
    expect(events).toMatchObject([{ kind: 'message', message }]);
    expect(await chat.read(GLOBAL_CHANNEL, FIRST_PAGE, 'reader')).toMatchObject({
      value: { data: [message] },
    });
  });

  test('kicks a user, who may write again after ten minutes', async () => {
    const author = await newAuthor({ name: 'Rude-1' });
    const admin = await newAdmin();
    expect(await say(admin, '/kick rude-1')).toMatchObject({ ok: true });
    expect(events).toEqual([{ kind: 'kicked', userId: author.user.id }]);
    expect(await say(author, 'what?')).toMatchObject({
      error: { code: 'CHAT_MUTED', context: { minutes: 10 } },
    });
    expect(await notedOf(admin)).toMatchObject([
      { action: 'chat kick', subject: author.user.id, reason: '/kick rude-1' },
    ]);
    aheadMs += 10 * 60_000;
    expect(await say(author, 'sorry')).toMatchObject({ ok: true });
  });

  test('removes one message', async () => {
    await say(await newAuthor(), 'bad');
    await say(await newAuthor(), 'good');
    const bad = events[0]!.kind === 'message' ? Number(events[0]!.message.id) : 0;
    const admin = await newAdmin();
    expect(await chat.remove(admin.user, bad)).toMatchObject({ ok: true });
    expect(await chat.remove(admin.user, bad)).toMatchObject(refused('CHAT_MESSAGE_NOT_FOUND'));
    expect(await shownTexts()).toEqual(['good']);
    expect(await notedOf(admin)).toMatchObject([{ action: 'chat remove', details: { message: 'bad' } }]);
  });

  test.each([
    ['/dance', 'CHAT_COMMAND_INVALID'],
    ['/kick nobody', 'CHAT_RECIPIENT_NOT_FOUND'],
  ])('learns that %j did nothing', async (line, code) => {
    const admin = await newAdmin();
    expect(await say(admin, line)).toMatchObject(refused(code));
    expect(await notedOf(admin)).toEqual([]);
  });
});

test('a player can neither give commands nor remove messages', async () => {
  const author = await newAuthor();
  await say(author, 'mine');
  for (const line of ['/clear', '/kick someone', '/announce hi', '/anything']) {
    aheadMs += 10_000;
    expect(await say(author, line)).toMatchObject(refused('CHAT_COMMAND_FORBIDDEN'));
  }
  expect(await chat.remove(author.user, 1)).toMatchObject(refused('FORBIDDEN'));
  expect(await shownTexts()).toEqual(['mine']);
});

test('a chat that is switched off shows nothing and takes nothing', async () => {
  await writeSwitch(database.db, 'chat-closed', true, context.nowMs());
  aheadMs += 2_000;
  expect(await say(await newAuthor(), 'hello?')).toMatchObject(refused('CHAT_CLOSED'));
  expect(await shownTexts()).toEqual(['CHAT_CLOSED']);
  await writeSwitch(database.db, 'chat-closed', undefined, context.nowMs());
  aheadMs += 2_000;
  expect(await say(await newAuthor(), 'hello!')).toMatchObject({ ok: true });
});

test('old messages are forgotten, and in each channel those above the limit', async () => {
  const lobby = lobbyId(randomUUID());
  await say(await newAuthor(), 'a month old');
  aheadMs += 31 * DAY_MS;
  for (let nth = 1; nth <= 5; nth++) await say(await newAuthor(), `new ${nth}`);
  await chat.write(await newAuthor(), lobby, 'elsewhere');
  await forgetOldMessages(database.db, new Date(context.nowMs() - 30 * DAY_MS), 3);
  const rows = await database.db.select({ message: chatMessages.message }).from(chatMessages);
  expect(rows.map(({ message }) => message)).toEqual(['new 3', 'new 4', 'new 5', 'elsewhere']);
});
