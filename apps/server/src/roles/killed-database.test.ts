import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { expectBooksToMatchTheChain, newWinner, STAKE } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  keepRoomsRunning,
  lamportsOf,
  newestEntry,
  newPlayer,
  pay,
} from '../../testing/players.ts';
import { isMissing, type Service, startPostgres } from '../../testing/services.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import { createSocial } from '../social/setup.ts';
import { startWorker } from './worker.ts';

/** What the worker asks its node while it verifies a payment, signs a claim, sends it and looks for it. */
const MOMENTS = [
  'getTransaction',
  'simulateTransaction',
  'getRecentPrioritizationFees',
  'sendTransaction',
  'getSignatureStatuses',
] as const;
type Moment = (typeof MOMENTS)[number];

describe.skipIf(isMissing('postgres'))('PostgreSQL, killed while a worker', () => {
  let postgres: Service;
  let server: TestServer;
  let lobby: LobbyRow;

  beforeAll(async () => {
    postgres = await startPostgres();
    vi.stubEnv('TEST_DATABASE_URL', postgres.url);
    server = await startTestServer();
    lobby = await server.lobby('Shallows');
  });
  afterAll(async () => {
    await server?.dispose();
    await postgres.dispose();
  });

  /** Dies when the worker has first been answered to this, and is back a moment later. */
  function killAt(method: Moment): { readonly context: Context; readonly back: Promise<void> } {
    const back = Promise.withResolvers<void>();
    let isKilled = false;
    const context = withNode(server.afterRestart(), {
      [method]: async (real: () => Promise<unknown>) => {
        const answer = await real();
        if (isKilled) return answer;
        isKilled = true;
        const killed = postgres.end('SIGKILL');
        killed.then(() => postgres.start()).then(back.resolve, back.reject);
        await killed;
        return answer;
      },
    });
    return { context, back: back.promise };
  }

  test.each(MOMENTS)('waits for %s of its node, costs nobody anything', async (method) => {
    const winner = await newWinner(server, lobby);
    const { user, wallet } = await newPlayer(server);
    await keepRoomsRunning(server.context);
    await ask(server.context, user, lobby);
    await confirm(server.context, user, lobby, await pay(server.context, wallet, lobby));
    const { context, back } = killAt(method);
    const worker = startWorker(
      context,
      readConfig({}),
      createSocial(readConfig({}), () => 'http://localhost'),
    );
    try {
      await back;
      await vi.waitFor(
        async () => {
          const paid = await server.context.db
            .select()
            .from(payouts)
            .where(eq(payouts.entryId, winner.entryId));
          expect(paid).toMatchObject([{ status: 'completed' }]);
          expect(await newestEntry(server.context, user)).toMatchObject({
            state: 'ticketSent',
            stake: STAKE,
          });
        },
        { timeout: 60_000, interval: 200 },
      );
    } finally {
      await worker.stop();
    }
    expect(await lamportsOf(server.context, winner.wallet)).toBe(winner.lamportsBefore + STAKE);
    expect(await server.context.db.select().from(entries).where(eq(entries.userId, user.id))).toHaveLength(1);
    await expectBooksToMatchTheChain(server.context, lobby);
  });
});
