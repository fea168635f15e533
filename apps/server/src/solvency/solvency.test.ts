import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { robPool } from '@engulf/localnet/testing/rob-pool';
import { readSolvency, type Solvency } from '@engulf/protocol/http/solvency';
import { getTransferSolInstruction } from '@solana-program/system';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { newPaidPlayer, payEverything, payoutDeps, STAKE } from '../../testing/paid-players.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createMoneyLanes } from '../game-host/money-lanes.ts';
import { registerSolvency } from '../http/routes/solvency.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { payLobby } from '../money/payouts/pay-lobby.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import type { Context } from '../platform/context.ts';
import { openKey } from '../platform/super-admin-key.ts';
import { publishReading } from './take-reading.ts';

let server: TestServer;
let context: Context;
let app: FastifyInstance;
let lobby: LobbyRow;
let queries = 0;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
  const { config, ...created } = await createTestApp(context, {
    EXPLORER_ACCOUNT_URL: 'https://explorer.example/{address}',
    RATE_LIMIT_SCALE: '100',
  });
  app = created.app;
  const db = new Proxy(context.db, {
    get: (target, name) => {
      if (name === 'select') queries++;
      return Reflect.get(target, name);
    },
  });
  registerSolvency(app, { ...context, db }, config);
});
afterAll(async () => {
  await app.close();
  await server.dispose();
});
// Older than the copy that visitors share.
beforeEach(() => server.advance(5_000));

async function read(): Promise<Solvency> {
  const { statusCode, body } = await app.inject('/api/solvency');
  expect(statusCode).toBe(200);
  return readSolvency.answer.parse(JSON.parse(body));
}

async function readLobby(): Promise<Solvency['lobbies'][number]> {
  return (await read()).lobbies.find(({ lobbyId }) => lobbyId === lobby.id)!;
}

const history = async (query = '') =>
  JSON.parse((await app.inject(`/api/solvency/history?lobbyId=${lobby.id}${query}`)).body);

describe('the public solvency', () => {
  test('of a lobby that was never read is unknown', async () => {
    expect(await readLobby()).toMatchObject({ state: 'unknown', account: null, reading: null });
  });

  test('is the pool on the chain beside the sums that are owed, and to how many', async () => {
    const [first, second] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    await publishReading(context, lobby.id);
    const account = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId!);
    const owed = String(2n * STAKE);
    const reading = { pool: owed, owed, bounties: owed, spill: '0', payouts: '0', people: 2, missing: '0' };
    expect(await readLobby()).toMatchObject({ state: 'covered', account, reading });
    const text = JSON.stringify(await read());
    for (const secret of [first.entryId, first.wallet.address, second.user.id, second.user.name]) {
      expect(text).not.toContain(secret);
    }

    await createMoneyLanes(context, async () => true).settleEntry(lobby.id, first.entryId, {
      kind: 'forfeit',
      amount: STAKE - 10n,
      massMilli: 1,
    });
    server.advance(5_000);
    await publishReading(context, lobby.id);
    expect((await readLobby()).reading).toMatchObject({
      owed,
      bounties: String(STAKE),
      spill: '10',
      payouts: String(STAKE - 10n),
      people: 2,
    });
  });

  test('names gifts, and counts a payment that is not booked yet as more than is owed', async () => {
    const giver = await server.newWallet();
    const destination = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId!);
    await server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination, amount: 5n }));
    await publishReading(context, lobby.id);
    expect((await readLobby()).reading).toMatchObject({ surplus: '5', gifts: '0', missing: '0' });
    await reconcileLobby(context, lobby.id);
    server.advance(5_000);
    await publishReading(context, lobby.id);
    expect((await readLobby()).reading).toMatchObject({ surplus: '5', gifts: '5', missing: '0' });
  });

  test('is in units of its token for a token lobby, and totals keep currencies apart', async () => {
    const tank = await server.lobby('Gulp Tank');
    for (const name of ['Gulp Tank', 'The Deep', 'Inner Circle', 'Night Shift', 'Shallows']) {
      await publishReading(context, (await server.lobby(name)).id);
    }
    const { totals, lobbies, explorerAccountUrl } = await read();
    expect(lobbies.find(({ lobbyId }) => lobbyId === tank.id)).toMatchObject({
      tokenSymbol: 'GULP',
      state: 'covered',
    });
    expect(totals).toMatchObject([
      { tokenSymbol: 'SOL', tokenMint: null, state: 'covered', lobbies: 4, staleLobbies: 0 },
      { tokenSymbol: 'GULP', tokenMint: tank.tokenMint, state: 'covered', lobbies: 1, pool: '0' },
    ]);
    expect(explorerAccountUrl).toBe('https://explorer.example/{address}');
  });

  test('is not judged while a payout is on its way that would explain the difference', async () => {
    const player = await newPaidPlayer(server, lobby);
    const outcome = { kind: 'cashout', amount: STAKE, massMilli: 1 } as const;
    await publishReading(context, lobby.id);
    const before = await readLobby();
    await createMoneyLanes(context, async () => true).settleEntry(lobby.id, player.entryId, outcome);
    await payLobby(context, lobby.id, payoutDeps(context, { send: async () => undefined }));
    const paidOut = withNode(context, {
      getAccountInfo: async (real) => {
        const answer = await real();
        return { ...answer, value: { ...answer.value, lamports: answer.value.lamports - STAKE } };
      },
    });
    await publishReading(paidOut, lobby.id);
    server.advance(5_000);
    expect((await readLobby()).reading!.readAt).toBe(before.reading!.readAt);
    await payEverything(context, lobby);
    server.advance(5_000);
    await publishReading(context, lobby.id);
    expect(await readLobby()).toMatchObject({ state: 'covered', reading: { payouts: '0' } });
  });

  test('does not pass an old reading off as a new one when the node cannot be read', async () => {
    await publishReading(context, lobby.id);
    const { reading } = await readLobby();
    const dead = withNode(context, { getAccountInfo: () => Promise.reject(new Error('no node')) });
    server.advance(61_000);
    await expect(publishReading(dead, lobby.id)).rejects.toThrow('no node');
    expect(await readLobby()).toMatchObject({ state: 'unknown', reading: { readAt: reading!.readAt } });
    const [sol] = (await read()).totals;
    expect(sol).toMatchObject({ state: 'unknown', pool: '0', staleLobbies: 4 });
  });

  test('has no history before the first year that the database knows', async () => {
    expect(await history('&before=0000-01-01T00:00:00Z')).toMatchObject({ rows: [], nextBefore: null });
  });

  test('is read once for any number of visitors', async () => {
    await read();
    server.advance(5_000);
    queries = 0;
    await Promise.all(Array.from({ length: 50 }, read));
    await Promise.all(Array.from({ length: 50 }, () => history('&before=2026-01-05T12:00:00.000Z')));
    await Promise.all(Array.from({ length: 50 }, () => history('&before=2026-01-05T13:00:00.000Z')));
    // The copy, and the two selects of one page.
    expect(queries).toBe(3);
  });

  test('shows at once that somebody took money out of a pool past the books', async () => {
    await newPaidPlayer(server, lobby);
    await publishReading(context, lobby.id);
    const before = (await history()).rows.length;
    const thief = await server.newWallet();
    const { rpc, programId, superAdminKey } = context.chain;
    await robPool({
      rpc,
      programId,
      superAdmin: openKey(superAdminKey),
      chainLobbyId: lobby.chainLobbyId!,
      thief: thief.address,
      amount: 1_000n,
    });
    await reconcileLobby(context, lobby.id);
    await publishReading(context, lobby.id);
    server.advance(31_000);
    // Five of them were a gift.
    expect(await readLobby()).toMatchObject({
      state: 'uncovered',
      reading: { missing: '995', surplus: '0', gifts: '0' },
    });
    expect((await read()).totals[0]).toMatchObject({ state: 'uncovered', missing: '995' });
    const { rows } = await history();
    expect(rows).toHaveLength(before + 1);
    expect(rows[0]).toMatchObject({ isCovered: false });
  });
});
