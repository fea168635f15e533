import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { openGeo } from '../../platform/geo.ts';
import { type SwitchName, writeSwitch } from '../../platform/switches.ts';
import { registerGates } from './gates.ts';

let database: OpenDatabase;
let clockMs = 0;
let app: FastifyInstance;
let askNode = async () => 1n;

beforeAll(async () => {
  database = await openTestDatabase();
  const rpc = { getSlot: () => ({ send: async () => askNode() }) };
  const { chain } = createBareContext(database.db);
  const context = createBareContext(database.db, {
    nowMs: () => clockMs,
    chain: { ...chain, rpc: rpc as unknown as Context['chain']['rpc'] },
  });
  ({ app } = await createTestApp(context, { TRUST_PROXY: '1' }));
  registerGates(app, context, await openGeo());
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const read = async (url: string, headers = {}) => JSON.parse((await app.inject({ url, headers })).body);
const flip = (name: SwitchName, value: unknown) => writeSwitch(database.db, name, value, clockMs);

test('a switch takes effect within two seconds, without a restart', async () => {
  const open = {
    blockedCountryCodes: [],
    isBetaEnable: true,
    isUpgrading: false,
    isMaintenanceAnnounced: false,
    isChatOpen: true,
    isSessionOverlayOn: false,
    entriesPausedBy: null,
  };
  expect(await read('/api/auth/countries-list')).toEqual(open);
  await flip('beta-closed', true);
  await flip('upgrade-page', true);
  await flip('chat-closed', true);
  await flip('maintenance-banner', true);
  await flip('blocked-countries', ['DE']);
  await flip('session-overlay', true);
  expect(await read('/api/auth/countries-list')).toEqual(open);
  clockMs += 2_000;
  expect(await read('/api/auth/countries-list')).toEqual({
    blockedCountryCodes: ['DE'],
    isBetaEnable: false,
    isUpgrading: true,
    isMaintenanceAnnounced: true,
    isChatOpen: false,
    isSessionOverlayOn: true,
    entriesPausedBy: null,
  });
});

test('says why nobody can pay, without waiting for the node', async () => {
  const pausedBy = async () => (await read('/api/auth/countries-list')).entriesPausedBy;
  clockMs += 2_000;
  askNode = () => Promise.reject(new Error('away'));
  expect(await pausedBy()).toBe(null);
  await vi.waitFor(async () => expect(await pausedBy()).toBe('chain'));
  askNode = async () => 2n;
  clockMs += 2_000;
  await pausedBy();
  await vi.waitFor(async () => expect(await pausedBy()).toBe(null));
  await flip('paid-entries-paused', true);
  clockMs += 2_000;
  expect(await pausedBy()).toBe('operators');
});

test('the country is that of the client, as our proxy reports it', async () => {
  expect(await read('/api/geo', { 'x-forwarded-for': '5.9.0.1' })).toEqual({ country_code: 'DE' });
  // What a client writes itself stands further left, and is not believed.
  expect(await read('/api/geo', { 'x-forwarded-for': '8.8.8.8, 5.9.0.1' })).toEqual({ country_code: 'DE' });
  expect(await read('/api/geo')).toEqual({ country_code: null });
});
