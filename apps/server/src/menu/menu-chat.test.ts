import { randomUUID } from 'node:crypto';
import { entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import type { ChatHistoryPage, ChatMessage } from '@engulf/protocol/chat';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { eq } from 'drizzle-orm';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMenuServer } from '../../testing/menu-server.ts';
import { newLobby, newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { soon } from '../../testing/soon.ts';
import { entries } from '../platform/database/games.ts';
import { signInSessions } from '../platform/database/people.ts';

let menu: Awaited<ReturnType<typeof startMenuServer>>;
let addresses = 0;

beforeAll(async () => {
  menu = await startMenuServer();
});
afterAll(() => menu.dispose());

const nextAddress = () => `203.0.113.${addresses++}`;

type EventName = keyof typeof MENU_SERVER_EVENTS;

/** Everything that arrives under that name, checked against the protocol. */
function listenTo(socket: Socket, name: EventName) {
  const received: unknown[] = [];
  socket.on(name, (payload) => received.push(MENU_SERVER_EVENTS[name].parse(payload)));
  return received;
}

async function newWriter(change: Parameters<typeof newUser>[1] = {}) {
  const user = await newUser(menu.db, change);
  return { user, socket: await menu.open({ user, address: nextAddress() }) };
}

describe('the global chat', () => {
  test.each(['websocket', 'polling'] as const)('reaches a visitor over %s', async (transport) => {
    const visitor = await menu.open({ address: nextAddress(), transport });
    const received = listenTo(visitor, 'lobby:chat:message');
    const { user, socket } = await newWriter({ avatarUrl: '/avatars/x.png' });
    const texts = ['one', 'two', 'ünïcödé 👩‍🚀', 'x'.repeat(200)];
    for (const message of texts) socket.emit('lobby:chat:send', { message });
    await soon(() => expect(received).toHaveLength(texts.length));
    expect(received.map((message) => (message as ChatMessage).message)).toEqual(texts);
    expect(received[0]).toMatchObject({ sender: user.name, user_id: user.id, avatarUrl: '/avatars/x.png' });
  });

  test('believes nothing that a message claims about its author', async () => {
    const { user, socket } = await newWriter();
    const received = listenTo(socket, 'lobby:chat:message');
    const claims = {
      sender: 'Engulf',
      user_id: randomUUID(),
      avatarUrl: '//evil',
      type: 'system',
      timestamp: 1,
    };
    socket.emit('lobby:chat:send', { ...claims, message: 'trust me', lobbyId: 'global' });
    await soon(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ sender: user.name, user_id: user.id, avatarUrl: null, type: 'user' });
  });

  test('is closed to visitors, and to users whose session has ended', async () => {
    const visitor = await menu.open({ address: nextAddress() });
    const { user, socket } = await newWriter();
    await menu.db.delete(signInSessions).where(eq(signInSessions.userId, user.id));
    for (const client of [visitor, socket]) {
      const errors = listenTo(client, 'chat:error');
      client.emit('lobby:chat:send', { message: 'let me in' });
      await soon(() => expect(errors).toMatchObject([{ error: 'UNAUTHENTICATED' }]));
    }
  });

  test('answers with an error what it does not send', async () => {
    const { socket } = await newWriter();
    const errors = listenTo(socket, 'chat:error');
    socket.emit('lobby:chat:send', { message: '  ' });
    socket.emit('lobby:chat:send', { message: 'hi', lobbyId: randomUUID() });
    socket.emit('lobby:chat:send', { message: '/clear' });
    await soon(() => expect(errors).toHaveLength(3));
    expect(errors).toEqual(
      expect.arrayContaining([
        { error: 'CHAT_EMPTY', reason: 'A message needs some text' },
        { error: 'CHAT_NOT_SENT', reason: 'Unable to send' },
        { error: 'CHAT_COMMAND_FORBIDDEN', reason: 'Only admins can use commands' },
      ]),
    );
  });

  test('survives payloads of any shape, and says that they are not valid', async () => {
    const { socket } = await newWriter();
    const errors = listenTo(socket, 'chat:error');
    for (const payload of [
      undefined,
      null,
      1,
      'text',
      [],
      {},
      { message: 1 },
      { message: 'x'.repeat(3_000) },
    ]) {
      socket.emit('lobby:chat:send', payload);
      socket.emit('chat:getHistory', payload);
    }
    socket.emit('lobby:chat:send', { message: '' });
    await soon(() => expect(errors).toContainEqual(expect.objectContaining({ error: 'CHAT_EMPTY' })));
    expect(errors.slice(0, -1).every((each) => (each as { error: string }).error === 'INVALID_REQUEST')).toBe(
      true,
    );
    expect(errors.length).toBeGreaterThan(5);
    expect(socket.connected).toBe(true);
  });

  test('sends its history when asked, and asks to load it again when a message is removed', async () => {
    const { socket } = await newWriter();
    const { user: admin } = await newWriter({ role: 'admin' });
    const received = listenTo(socket, 'lobby:chat:message');
    socket.emit('lobby:chat:send', { message: 'remove me' });
    await soon(() => expect(received).toHaveLength(1));
    const pages = listenTo(socket, 'chat:history');
    socket.emit('chat:getHistory', { page: 1 });
    await soon(() => expect(pages).toHaveLength(1));
    expect((pages[0] as ChatHistoryPage).data[0]).toEqual(received[0]);
    const requests = listenTo(socket, 'chat:getHistory');
    await menu.chat.remove(admin, Number((received[0] as ChatMessage).id));
    await soon(() => expect(requests).toEqual([{ lobbyId: 'global' }]));
  });
});

test('the chat of a free lobby is heard by those who read or write there, that of a paid one is closed', async () => {
  const [{ id: free }, { id: paid }] = [await newLobby(menu.db), await newPaidLobby(menu.db)];
  const { user, socket } = await newWriter();
  const [reader, stranger] = [
    await menu.open({ address: nextAddress() }),
    await menu.open({ address: nextAddress() }),
  ];
  const pages = listenTo(reader, 'chat:history');
  reader.emit('chat:getHistory', { lobbyId: free });
  await soon(() => expect(pages).toHaveLength(1));
  const heard = [socket, reader, stranger].map((client) => listenTo(client, 'lobby:chat:message'));
  socket.emit('lobby:chat:send', { lobbyId: free, message: 'anybody in?' });
  const said = { lobbyId: free, user_id: user.id, message: 'anybody in?' };
  await soon(() => expect(heard.slice(0, 2)).toMatchObject([[said], [said]]));
  expect(heard[2]).toEqual([]);
  const errors = listenTo(socket, 'chat:error');
  socket.emit('lobby:chat:send', { lobbyId: paid, message: 'behind you' });
  await soon(() => expect(errors).toMatchObject([{ error: 'CHAT_NOT_SENT' }]));
});

test('an admin announces to everyone and kicks one user in all windows', async () => {
  const { socket: admin } = await newWriter({ role: 'admin' });
  const { user, socket: window } = await newWriter();
  const secondWindow = await menu.open({ user, address: nextAddress() });
  const other = await menu.open({ address: nextAddress() });
  const said = listenTo(other, 'chat:message');
  const kicked = [window, secondWindow, other].map((socket) => listenTo(socket, 'game_ended'));
  admin.emit('lobby:chat:send', { message: '/announce be nice' });
  await soon(() => expect(said).toMatchObject([{ message: 'be nice', type: 'system', user_id: null }]));
  admin.emit('lobby:chat:send', { message: `/kick ${user.name}` });
  await soon(() => expect(kicked.slice(0, 2)).toEqual([[{ message: 'kicked' }], [{ message: 'kicked' }]]));
  expect(kicked[2]).toEqual([]);
});

test('a window that is opened while its user plays is told, also if the one that played is gone', async () => {
  const user = await newUser(menu.db);
  const lobby = await newLobby(menu.db);
  const sessionId = entryId(randomUUID());
  await menu.db.insert(entries).values({
    id: sessionId,
    userId: user.id,
    lobbyId: lobby.id,
    state: 'playing',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: 0n,
    stake: 0n,
    createdAt: new Date(),
  });
  const open = async () => {
    let heard: unknown[] = [];
    await menu.open({
      user,
      address: nextAddress(),
      prepare: (opening) => {
        heard = listenTo(opening, 'session_warning');
      },
    });
    await soon(() => expect(heard).toMatchObject([{ sessionId, sessionStatus: 'playing' }]));
    return heard;
  };
  const toFirst = await open();
  await open();
  expect(toFirst).toHaveLength(1);
});
