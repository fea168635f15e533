import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { entryId, type LobbyId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isMissing, type Service, startRedis } from '../../../testing/services.ts';
import { soon } from '../../../testing/soon.ts';
import type { Topic } from './bus.ts';
import { openRedis } from './redis.ts';
import { openSharedState } from './shared-state.ts';

/** A way to a server whose connections can fall silent without being closed, as when a machine loses power. */
async function openProxy(port: number) {
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

const GREETINGS: Topic<{ text: string }> = { name: 'greetings', schema: z.object({ text: z.string() }) };
const logger = pino({ level: 'silent' });
describe.skipIf(isMissing('redis-server'))('processes over Redis (needs redis-server)', () => {
  let redis: Service;
  let aheadMs = 0;
  let running: LobbyId[] = [];
  const open: { close(): void }[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => {
    for (const state of open.splice(0)) state.close();
    running = [];
  });
  afterAll(() => redis.dispose());

  async function openProcess(url = redis.url) {
    const state = openSharedState(url, {
      processId: randomUUID(),
      logger,
      nowMs: () => Date.now() + aheadMs,
      listRunning: async () => running,
    });
    open.push(state);
    await soon(() => expect(state.bus.wholeSinceMs()).toBeDefined());
    return state;
  }

  describe('the bus', () => {
    test('calls listeners in the same process at once, and those in others soon', async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const heard: string[] = [];
      a.bus.follow(GREETINGS, ({ text }) => heard.push(`a ${text}`));
      b.bus.follow(GREETINGS, ({ text }) => heard.push(`b ${text}`));
      await soon(async () => {
        a.bus.publish(GREETINGS, { text: 'hello' });
        expect(heard[0]).toBe('a hello');
        await sleep(20);
        expect(heard).toContain('b hello');
      });
      expect(heard.filter((line) => line.startsWith('b')).length).toBeLessThanOrEqual(heard.length / 2);
    });

    test('refuses what is malformed and survives a listener that throws', async () => {
      const a = await openProcess();
      const heard: string[] = [];
      a.bus.follow(GREETINGS, () => {
        throw new Error('a bug');
      });
      a.bus.follow(GREETINGS, ({ text }) => heard.push(text));
      const stranger = new Redis(redis.url);
      const send = (text: string) => stranger.publish('engulf:0:bus:greetings', text);
      await soon(async () => {
        for (const text of ['{', '{}', '{"from":"x"}', '{"from":"x","event":{"text":1}}']) await send(text);
        await send('{"from":"x","event":{"text":"good"}}');
        expect(heard).toContain('good');
      });
      stranger.disconnect();
      expect(new Set(heard)).toEqual(new Set(['good']));
    });

    test('reports since when events may have been missed if only the sender could not reach Redis', async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const heard: string[] = [];
      b.bus.follow(GREETINGS, ({ text }) => heard.push(text));
      const missedSince: number[] = [];
      const beganMs = Date.now() + aheadMs;
      b.bus.onHealed((sinceMs) => missedSince.push(sinceMs));
      process.kill(redis.pid, 'SIGSTOP');
      try {
        a.bus.publish(GREETINGS, { text: 'late' });
        await soon(() => {
          expect(a.bus.wholeSinceMs()).toBeUndefined();
          a.bus.publish(GREETINGS, { text: 'lost' });
        });
      } finally {
        process.kill(redis.pid, 'SIGCONT');
      }
      await soon(() => expect(missedSince).toHaveLength(1));
      expect(missedSince[0]).toBeLessThanOrEqual(beganMs);
      expect(heard).not.toContain('lost');
      expect(b.bus.wholeSinceMs()).toBeDefined();
    });

    test('recovers after Redis was killed, and reports since when events may have been missed', async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const heard: string[] = [];
      const gaps: number[] = [];
      b.bus.follow(GREETINGS, ({ text }) => heard.push(text));
      b.bus.onHealed((sinceMs) => gaps.push(sinceMs));
      const killedAtMs = Date.now() + aheadMs;
      await redis.end('SIGKILL');
      await soon(() => expect(b.bus.wholeSinceMs()).toBeUndefined());
      expect(() => a.bus.publish(GREETINGS, { text: 'lost' })).not.toThrow();
      await redis.start();
      await soon(() => expect(gaps).toHaveLength(1));
      expect(gaps[0]).toBeLessThanOrEqual(killedAtMs);
      expect(gaps[0]).toBeGreaterThan(killedAtMs - 8_000);
      await soon(() => {
        a.bus.publish(GREETINGS, { text: 'again' });
        expect(heard).toContain('again');
      });
      expect(heard).not.toContain('lost');
    });
  });

  test('a link that nobody uses says when Redis is away and when it is back', async () => {
    const codes: unknown[] = [];
    const write = (line: string) => codes.push(JSON.parse(line).code);
    const link = openRedis(redis.url, { logger: pino({ level: 'warn' }, { write }), nowMs: Date.now });
    open.push(link);
    await soon(() => expect(link.isUp()).toBe(true));
    await redis.end('SIGKILL');
    await soon(() => expect(codes.at(-1)).toBe('REDIS_AWAY'));
    await redis.start();
    await soon(() => expect(codes).toEqual(['REDIS_AWAY', 'REDIS_BACK']));
  });

  test('a connection on which Redis is silent is replaced, and what was missed on it is reported', async () => {
    const proxy = await openProxy(Number(new URL(redis.url).port));
    const [a, b] = [await openProcess(), await openProcess(proxy.url)];
    const heard: string[] = [];
    const gaps: number[] = [];
    b.bus.follow(GREETINGS, ({ text }) => heard.push(text));
    b.bus.onHealed((sinceMs) => gaps.push(sinceMs));
    const say = (text: string) =>
      soon(() => {
        a.bus.publish(GREETINGS, { text });
        expect(heard).toContain(text);
      });
    await say('before');
    const silentMs = Date.now() + aheadMs;
    proxy.silence();
    await say('after');
    expect(gaps[0]).toBeLessThanOrEqual(silentMs);
    await soon(() => expect(b.bus.wholeSinceMs()).toBeGreaterThan(silentMs));
    proxy.close();
  });

  describe('presence', () => {
    const disconnected = [entryId(randomUUID())];
    const room = { totalPlayers: 3, totalBots: 1, poolTotal: 2n ** 63n, disconnected };

    test('shows rooms of other processes, with their whole pool, until they fall silent', async () => {
      const [game, api] = [await openProcess(), await openProcess()];
      const id = lobbyId(randomUUID());
      await soon(async () => {
        await game.presence.announce(id, room);
        expect(await api.presence.read(id)).toMatchObject(room);
      });
      aheadMs += 5_500;
      expect(await api.presence.read(id)).toBeUndefined();
    });

    test('keeps the last figures of rooms that run while Redis is away', async () => {
      const [game, api] = [await openProcess(), await openProcess()];
      const [alive, dead, unheard] = [randomUUID(), randomUUID(), randomUUID()].map(lobbyId);
      running = [alive!, unheard!];
      await soon(async () => {
        for (const id of [alive!, dead!]) await game.presence.announce(id, room);
        expect(await api.presence.read(dead!)).toBeDefined();
      });
      await redis.end('SIGKILL');
      await soon(() => expect(api.bus.wholeSinceMs()).toBeUndefined());
      aheadMs += 60_000;
      await soon(async () => expect(await api.presence.read(alive!)).toMatchObject(room));
      expect(await api.presence.read(unheard!)).toMatchObject({ totalPlayers: 0, poolTotal: 0n });
      expect(await api.presence.read(dead!)).toBeUndefined();
      expect((await api.presence.read(alive!))!.lastUpdateMs).toBeGreaterThan(Date.now() + aheadMs - 1_000);
      await redis.start();
      await soon(async () => {
        await game.presence.announce(alive!, { ...room, totalPlayers: 4 });
        expect(await api.presence.read(alive!)).toMatchObject({ totalPlayers: 4 });
      });
    });
  });

  describe('rate limits', () => {
    const limit = { burst: 6, perSecond: 0.001 };

    test('hold over two processes, however the attempts are spread and raced', async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const key = randomUUID();
      const attempts = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? a : b).rateLimits.take(key, limit),
      );
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(6);
      await b.rateLimits.giveBack(key, limit);
      expect(await a.rateLimits.take(key, limit)).toBe(true);
      expect(await b.rateLimits.take(key, limit)).toBe(false);
    });

    test('refill over time, and never above the burst', async () => {
      const a = await openProcess();
      const key = randomUUID();
      const quick = { burst: 2, perSecond: 2 };
      const take = () => a.rateLimits.take(key, quick);
      await a.rateLimits.giveBack(key, quick);
      // In one write, so that Redis takes them at one moment.
      expect(await Promise.all([take(), take(), take()])).toEqual([true, true, false]);
      await soon(async () => expect(await take()).toBe(true));
    });

    test('count a window over two processes', async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const key = randomUUID();
      const startedMs = performance.now();
      await a.rateLimits.count(key, 10_000);
      const { current, msLeft } = await b.rateLimits.count(key, 10_000);
      expect(current).toBe(2);
      expect(msLeft).toBeGreaterThanOrEqual(9_999 - (performance.now() - startedMs));
      expect(msLeft).toBeLessThanOrEqual(10_000);
    });

    test('hold within a process while Redis is away, and nobody waits for it', async () => {
      const a = await openProcess();
      const key = randomUUID();
      await redis.end('SIGKILL');
      const startedMs = performance.now();
      const taken = [];
      for (let attempt = 0; attempt < 30; attempt++) taken.push(await a.rateLimits.take(key, limit));
      expect(taken.filter(Boolean)).toHaveLength(6);
      expect((await a.rateLimits.count(key, 10_000)).current).toBe(1);
      // If each waited for its timeout, it would be nine seconds.
      expect(performance.now() - startedMs).toBeLessThan(5_000);
      await redis.start();
    });

    test('hold while Redis hangs', async () => {
      const a = await openProcess();
      process.kill(redis.pid, 'SIGSTOP');
      const startedMs = performance.now();
      expect(await a.rateLimits.take(randomUUID(), limit)).toBe(true);
      expect(await a.rateLimits.take(randomUUID(), limit)).toBe(true);
      expect(performance.now() - startedMs).toBeLessThan(5_000);
      process.kill(redis.pid, 'SIGCONT');
    });
  });
});
