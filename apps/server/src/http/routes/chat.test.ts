import { randomUUID } from 'node:crypto';
import { lobbyId } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL, readChatHistory } from '@engulf/protocol/chat';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { newLobby } from '../../../testing/new-lobby.ts';
import { newUser } from '../../../testing/new-user.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../../accounts/sessions.ts';
import { type Chat, openChat } from '../../chat/chat.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import type { UserRow } from '../../platform/database/people.ts';
import { registerChat } from './chat.ts';

let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let chat: Chat;
const [openLobby, closedCircle] = [lobbyId(randomUUID()), lobbyId(randomUUID())];

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
  await newLobby(database.db, { id: openLobby });
  await newLobby(database.db, { id: closedCircle, lobbyType: 'semi-private', lobbyCode: 'AMOEBA' });
  ({ app } = await createTestApp(context));
  chat = openChat(context, { limitScale: 100 });
  registerChat(app, context, chat);
  await app.ready();
  const user = await newUser(database.db);
  const author = { userId: user.id, address: 'here', findUser: async () => user };
  for (let nth = 1; nth <= 12; nth++) await chat.write(author, GLOBAL_CHANNEL, `message ${nth}`);
  for (const channel of [openLobby, closedCircle]) await chat.write(author, channel, 'in the arena');
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const read = async (path: string) => {
  const { statusCode, body } = await app.inject({ url: `/api/chat/history/${path}` });
  return { statusCode, body: JSON.parse(body) };
};

test('anybody reads the history page by page', async () => {
  const first = await read('global?page=1&perPage=10');
  expect(readChatHistory.answer.parse(first.body)).toMatchObject({ hasMorePages: true, currentPage: 1 });
  expect(first.body.data.map(({ message }: { message: string }) => message)[0]).toBe('message 12');
  const second = await read('global?page=2');
  expect(second.body).toMatchObject({ hasMorePages: false, currentPage: 2 });
  expect(second.body.data).toHaveLength(2);
});

test('the channel of a lobby is public unless the lobby is semi-private', async () => {
  expect((await read(openLobby)).body.data).toMatchObject([{ message: 'in the arena' }]);
  expect((await read(closedCircle)).statusCode).toBe(404);
  expect((await read(randomUUID())).statusCode).toBe(404);
});

test.each(['global?page=0', 'global?page=x', 'global?perPage=51', 'global?more=1', '..%2f..', '%00'])(
  'the history of %s is refused',
  async (path) => {
    expect((await read(path)).statusCode).toBe(400);
  },
);

test('an admin removes a message, a player does not', async () => {
  const { body } = await read('global');
  const { id } = body.data[0];
  const remove = async (user: UserRow | undefined, payload: object) => {
    const cookies = user && { [SESSION_COOKIE]: await openSession(context, database.db, user.id) };
    const call = { method: 'POST', url: '/api/chat/remove', payload, ...(cookies && { cookies }) } as const;
    return (await app.inject(call)).statusCode;
  };
  const admin = await newUser(database.db, { role: 'admin' });
  expect(await remove(undefined, { id })).toBe(401);
  expect(await remove(await newUser(database.db), { id })).toBe(403);
  expect(await remove(admin, { id: '9'.repeat(15) })).toBe(404);
  expect(await remove(admin, { id: "1' or true" })).toBe(400);
  expect(await remove(admin, { id })).toBe(200);
  expect((await read('global')).body.data[0].message).toBe('message 11');
});
