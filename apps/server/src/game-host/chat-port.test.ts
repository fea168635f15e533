import { refuse } from '@engulf/domain/errors/registry';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import {
  type ArenaClient,
  firstMessage,
  joinWithTicket,
  messagesOf,
} from '../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../testing/game/arena-server.ts';
import { issueTicket } from '../../testing/game/memory-ports.ts';
import { freeLobby } from '../../testing/game/test-lobbies.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { type Chat, openChat } from '../chat/chat.ts';
import type { ChatEvent } from '../chat/chat-event.ts';
import type { Context } from '../platform/context.ts';
import { chatMessages, chatMutes } from '../platform/database/chat.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { auditLog } from '../platform/database/operations.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { writeSwitch } from '../platform/switches.ts';
import { createGameChat } from './chat-port.ts';

const lobby = freeLobby();
let database: OpenDatabase;
let context: Context;
let chat: Chat;
let events: ChatEvent[];
let server: ArenaServer;
let aheadMs = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const nowMs = () => Date.UTC(2026, 0, 1) + aheadMs;
  context = createBareContext(database.db, { nowMs });
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of [chatMessages, chatMutes]) await database.db.delete(table);
  aheadMs += 60_000;
  chat = openChat(context, { limitScale: 1 });
  events = [];
  chat.subscribe((event) => events.push(event));
  server = await startArenaServer([lobby], QUICK_RULES, { deps: { chat: createGameChat(context, chat) } });
});
afterEach(() => server.stop());

/** A real user in the room. Names of seats are those of the users. */
async function enterAs(
  change: Parameters<typeof newUser>[1] = {},
): Promise<{ user: UserRow; client: ArenaClient }> {
  const user = await newUser(database.db, change);
  const { ticket, seat } = issueTicket(server.ports, lobby, undefined, user.id);
  server.ports.tickets.set(ticket, { ...seat, name: user.name });
  const client = await joinWithTicket(server, lobby, ticket);
  await firstMessage(server, client, 'welcome');
  return { user, client };
}

const auditOf = ({ id }: UserRow) =>
  database.db.select().from(auditLog).where(eq(auditLog.actor, id)).orderBy(auditLog.id);
const errorOf = async (client: ArenaClient) => (await firstMessage(server, client, 'chatError')).error;
const say = (client: ArenaClient, message: string) => client.send('chat', { message });

describe('what is said in a room', () => {
  test('is moderated, stored, and part of the history for those who join later', async () => {
    const [ann, admin] = [await enterAs(), await enterAs({ role: 'admin' })];
    say(ann.client, '  what the fuck \u202eis this ');
    expect(await firstMessage(server, admin.client, 'chatMessage')).toMatchObject({
      sender: ann.user.name,
      user_id: ann.user.id,
      lobbyId: lobby.id,
      message: 'what the **** is this',
      type: 'player',
    });
    say(admin.client, 'mind your language');
    await server.until(() => expect(messagesOf(ann.client, 'chatMessage')).toHaveLength(2));
    const late = await enterAs();
    late.client.send('requestChatHistory');
    const { messages } = await firstMessage(server, late.client, 'chatHistory');
    expect(messages.map(({ message, type }) => [message, type])).toEqual([
      ['what the **** is this', 'player'],
      ['mind your language', 'admin'],
    ]);
  });

  test.each([
    ['x'.repeat(201), 'A message has at most 200 characters'],
    ['/kick ann', 'Only admins can use commands'],
  ])('%j is refused: %s', async (message, error) => {
    const { client } = await enterAs();
    say(client, message);
    expect(await errorOf(client)).toBe(error);
    expect(events).toEqual([]);
  });

  test('more than a few lines at once are refused, private ones counted with them', async () => {
    const [ann, bob] = [await enterAs(), await enterAs()];
    for (let nth = 0; nth < 3; nth++) {
      say(ann.client, `line ${nth}`);
      await server.until(() => expect(messagesOf(bob.client, 'chatMessage')).toHaveLength(nth + 1));
      ann.client.send('privateMessage', { to: bob.user.name, message: `whisper ${nth}` });
      if (nth < 2)
        await server.until(() => expect(messagesOf(bob.client, 'privateMessage')).toHaveLength(nth + 1));
    }
    expect(await errorOf(ann.client)).toBe('Rate limit exceeded. Try again later.');
    expect(messagesOf(bob.client, 'privateMessage')).toHaveLength(2);
  });

  test('a line beyond the limit costs no query', async () => {
    const { id: userId } = await newUser(database.db);
    const port = createGameChat(context, chat);
    const visitor = { userId, address: 'a flood' };
    for (let nth = 0; nth < 5; nth++) await port.whisper(visitor, 'hi');
    const select = vi.spyOn(database.db, 'select');
    expect(await port.write(visitor, lobby.id, 'hi')).toEqual(refuse('RATE_LIMITED'));
    expect(await port.whisper(visitor, 'hi')).toEqual(refuse('RATE_LIMITED'));
    expect(select).not.toHaveBeenCalled();
    select.mockRestore();
  });

  test('nobody speaks while the chat is closed, and a banned user not at all', async () => {
    const [ann, bob] = [await enterAs(), await enterAs()];
    await database.db.update(users).set({ bannedAt: new Date() }).where(eq(users.id, bob.user.id));
    say(bob.client, 'hi');
    expect(await errorOf(bob.client)).toMatch('This account is banned');
    await writeSwitch(database.db, 'chat-closed', true, context.nowMs());
    aheadMs += 3_000;
    try {
      say(ann.client, 'hi');
      expect(await errorOf(ann.client)).toBe('Chat is switched off');
    } finally {
      await writeSwitch(database.db, 'chat-closed', undefined, context.nowMs());
      aheadMs += 3_000;
    }
    expect(events).toEqual([]);
  });
});

describe('an admin', () => {
  const order = (client: ArenaClient, command: string, ...args: string[]) =>
    client.send('admin', { command, args });

  test('announces, throws out and clears, with a row in the audit log for each', async () => {
    const [ann, admin] = [await enterAs(), await enterAs({ role: 'admin' })];
    order(admin.client, 'announce', 'back', 'in', '5');
    expect(await firstMessage(server, ann.client, 'chatMessage')).toMatchObject({
      message: 'back in 5',
      type: 'announcement',
      user_id: null,
    });
    order(admin.client, 'kick', `@${ann.user.name.toUpperCase()}`);
    expect(await firstMessage(server, ann.client, 'kick')).toEqual({ reason: 'removed by an admin' });
    expect(events.at(-1)).toEqual({ kind: 'kicked', userId: ann.user.id });
    order(admin.client, 'clear');
    expect(await firstMessage(server, admin.client, 'chatHistory')).toEqual({ messages: [] });
    const audit = await auditOf(admin.user);
    expect(audit.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      [admin.user.id, 'chat announce', lobby.id],
      [admin.user.id, 'chat kick', ann.user.id],
      [admin.user.id, 'chat clear', lobby.id],
    ]);
  });

  test.each([
    ['dance', [], 'Commands: /clear, /kick username, /announce message'],
    ['kick', ['nobody-here'], 'There is no player called nobody-here here'],
    ['kick', ['a b'], 'Commands: /clear, /kick username, /announce message'],
    ['', ['clear'], 'Commands: /clear, /kick username, /announce message'],
  ])('the command %j with %j is refused: %s', async (command, args, error) => {
    const { user, client } = await enterAs({ role: 'admin' });
    order(client, command, ...args);
    expect(await errorOf(client)).toBe(error);
    expect(await auditOf(user)).toEqual([]);
  });

  test('who no longer is one has no say, although it joined as one', async () => {
    const { user, client } = await enterAs({ role: 'admin' });
    await database.db.update(users).set({ role: 'player' }).where(eq(users.id, user.id));
    order(client, 'clear');
    expect(await errorOf(client)).toBe('Only admins can use commands');
  });

  test('of the menu reaches a player in its room; a kicked player stays muted in the next match', async () => {
    const [ann, admin] = [await enterAs(), await newUser(database.db, { role: 'admin' })];
    const author = { userId: admin.id, address: 'menu', findUser: async () => admin };
    await chat.write(author, 'global', `/kick ${ann.user.name}`);
    await firstMessage(server, ann.client, 'kick');
    const { ticket } = issueTicket(server.ports, lobby, undefined, ann.user.id);
    const again = await joinWithTicket(server, lobby, ticket);
    say(again, 'hi');
    expect(await errorOf(again)).toBe('You were kicked. You can write again in 10 minutes');
  });
});
