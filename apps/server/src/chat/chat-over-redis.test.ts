import { randomUUID } from 'node:crypto';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { isMissing, type Service, startRedis } from '../../testing/services.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { openSharedState } from '../platform/fleet/shared-state.ts';
import { type Chat, openChat } from './chat.ts';
import type { ChatEvent } from './chat-event.ts';

/** For a busy machine. */
const PATIENCE_MS = 20_000;

describe.skipIf(isMissing('redis-server'))('the chat of two processes (needs redis-server)', () => {
  let redis: Service;
  let database: OpenDatabase;
  const states: { close(): void }[] = [];
  let here: Chat;
  let there: Chat;
  let heardThere: ChatEvent[];

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
    [here, there] = [await openProcess(), await openProcess()];
    there.subscribe((event) => heardThere.push(event));
  });
  afterAll(async () => {
    for (const state of states) state.close();
    await database.close();
    await redis.dispose();
  });
  beforeEach(() => {
    heardThere = [];
  });

  async function openProcess(): Promise<Chat> {
    const deps = { processId: randomUUID(), logger: pino({ level: 'silent' }), nowMs: Date.now };
    const state = openSharedState(redis.url, { ...deps, listRunning: async () => [] });
    states.push(state);
    const chat = openChat(createBareContext(database.db, { ...deps, ...state }), { limitScale: 1 });
    // It reads what it has missed before it was there.
    await new Promise<void>((resolve) => chat.subscribe(() => resolve()));
    return chat;
  }

  const say = (chat: Chat, user: UserRow, text: string) =>
    chat.write({ userId: user.id, address: user.id, findUser: async () => user }, GLOBAL_CHANNEL, text);

  const newAdmin = () => newUser(database.db, { role: 'admin' });

  test('lines, announcements, removals and kicks reach the other process', async () => {
    const [admin, user] = [await newAdmin(), await newUser(database.db)];
    expect(await say(here, user, 'hello there')).toMatchObject({ ok: true });
    for (const command of ['/announce listen', '/clear', `/kick ${user.name}`]) {
      expect(await say(here, admin, command)).toMatchObject({ ok: true });
    }
    await vi.waitFor(() => expect(heardThere).toHaveLength(4), PATIENCE_MS);
    expect(heardThere).toMatchObject([
      { kind: 'message', message: { message: 'hello there', sender: user.name } },
      { kind: 'message', message: { message: 'listen', type: 'system' } },
      { kind: 'removed', channel: GLOBAL_CHANNEL },
      { kind: 'kicked', userId: user.id },
    ]);
    expect(await say(there, user, 'I am back')).toMatchObject({ error: { code: 'CHAT_MUTED' } });
  });

  test('a kick that only Redis knows of is not believed', async () => {
    const [admin, user, victim] = [await newAdmin(), await newUser(database.db), await newUser(database.db)];
    const liar = new Redis(redis.url);
    const kick = (userId: string) => JSON.stringify({ from: 'nobody', event: { kind: 'kicked', userId } });
    const heardBy = await liar.publish('engulf:0:bus:chat', kick(victim.id));
    expect(heardBy).toBe(2);
    liar.disconnect();
    await say(here, admin, `/kick ${user.name}`);
    await vi.waitFor(
      () => expect(heardThere).toContainEqual({ kind: 'kicked', userId: user.id }),
      PATIENCE_MS,
    );
    expect(heardThere).not.toContainEqual({ kind: 'kicked', userId: victim.id });
  });

  test('what somebody writes is counted over both processes', async () => {
    const user = await newUser(database.db);
    const written = [];
    const startedMs = performance.now();
    for (let nth = 0; nth < 8; nth++) written.push(await say(nth % 2 ? here : there, user, `line ${nth}`));
    // One more every two seconds, if the machine is that slow.
    const most = 5 + (performance.now() - startedMs) / 2_000;
    expect(written.slice(0, 5).every(({ ok }) => ok)).toBe(true);
    expect(written.filter(({ ok }) => ok).length).toBeLessThanOrEqual(most);
  });

  test('after an outage of Redis the other process learns what it missed', async () => {
    const [admin, user] = [await newAdmin(), await newUser(database.db)];
    await redis.end('SIGKILL');
    await vi.waitFor(
      async () => expect((await say(here, admin, `/kick ${user.name}`)).ok).toBe(true),
      PATIENCE_MS,
    );
    expect(heardThere).toEqual([]);
    await redis.start();
    await vi.waitFor(
      () => expect(heardThere).toContainEqual({ kind: 'kicked', userId: user.id }),
      PATIENCE_MS,
    );
    expect(heardThere).toContainEqual({ kind: 'removed', channel: GLOBAL_CHANNEL });
  });
});
