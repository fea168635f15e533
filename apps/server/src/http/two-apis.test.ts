import { randomUUID } from 'node:crypto';
import { readProfile, signIn, signInNonce } from '@engulf/protocol/user';
import { signInBody } from '@engulf/trials/page-client';
import { generateKeyPairSigner } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { isMissing, type Service, startRedis } from '../../testing/services.ts';
import { soon } from '../../testing/soon.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import { openSharedState } from '../platform/fleet/shared-state.ts';
import { registerAuth } from './routes/auth.ts';

describe.skipIf(isMissing('redis-server'))('two api processes (needs redis-server)', () => {
  let redis: Service;
  let database: OpenDatabase;
  const states: { close(): void }[] = [];
  let apps: FastifyInstance[];

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
    apps = [await openApi(), await openApi()];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    for (const state of states) state.close();
    await database.close();
    await redis.dispose();
  });

  async function openApi(): Promise<FastifyInstance> {
    const deps = { processId: randomUUID(), logger: pino({ level: 'silent' }), nowMs: Date.now };
    const state = openSharedState(redis.url, { ...deps, listRunning: async () => [] });
    states.push(state);
    await soon(() => expect(state.bus.wholeSinceMs()).toBeDefined());
    const context = createBareContext(database.db, { ...deps, ...state });
    const { app, site } = await createTestApp(context, { RATE_LIMIT_SCALE: '1' });
    registerAuth(app, context, site, createGuessLimits(context.rateLimits));
    await app.ready();
    return app;
  }

  test('a sign-in begun at one api process ends at another, and the session counts at both', async () => {
    const wallet = await generateKeyPairSigner();
    const asked = await apps[0]!.inject({ url: signInNonce.path });
    const payload = await signInBody(wallet, asked.json());
    const signedIn = await apps[1]!.inject({ method: 'POST', url: signIn.path, payload });
    expect(signedIn.statusCode).toBe(200);
    const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const app of apps) {
      const profile = await app.inject({ url: readProfile.path, headers: { cookie } });
      expect(profile.json()).toMatchObject({ user: { walletAddress: wallet.address } });
    }
    const again = await apps[0]!.inject({ method: 'POST', url: signIn.path, payload });
    expect(again.statusCode).toBe(401);
  });

  test('the limit of a call holds over both api processes, and for each without Redis', async () => {
    const ask = async (app: FastifyInstance, remoteAddress: string) =>
      (await app.inject({ url: signInNonce.path, remoteAddress })).statusCode;
    const { max } = signInNonce.limit;
    const spread: number[] = [];
    for (let nth = 0; nth < max + 4; nth++) spread.push(await ask(apps[nth % 2]!, '203.0.113.1'));
    expect(spread.filter((status) => status === 200)).toHaveLength(max);
    expect(spread.slice(-4)).toEqual([429, 429, 429, 429]);
    await redis.end('SIGKILL');
    const alone: number[] = [];
    for (let nth = 0; nth < max + 4; nth++) alone.push(await ask(apps[0]!, '203.0.113.2'));
    expect(alone.filter((status) => status === 200)).toHaveLength(max);
  });
});
