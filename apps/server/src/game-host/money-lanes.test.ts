import { randomUUID } from 'node:crypto';
import { entryId } from '@engulf/domain/ids/entity-ids';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { bountyOf, poolOf } from '../money/ledger/accounts.ts';
import { post, readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createMoneyLanes } from './money-lanes.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

type Transaction = Database['transaction'];

/** The database, whose next transactions go as told. */
function withTransactions(...next: Transaction[]): Context {
  const transaction: Transaction = (work) => (next.shift() ?? context.db.transaction.bind(context.db))(work);
  const db = new Proxy(context.db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
  return { ...context, db };
}

const failingWith =
  (error: Error): Transaction =>
  async () => {
    throw error;
  };

function loseConnection(): never {
  throw new DrizzleQueryError('insert', [], new Error('Connection terminated unexpectedly'));
}

describe('money on its way to the ledger', () => {
  test('waits for a database that was lost, however the driver says so', async () => {
    const [from, to] = [entryId(randomUUID()), entryId(randomUUID())];
    const bounty = { debit: poolOf(lobby.id), credit: bountyOf(lobby.id, from), amount: 5n };
    await context.db.transaction((tx) =>
      post(tx, { key: `test:${from}`, lobbyId: lobby.id, postings: [bounty] }),
    );
    const lanes = createMoneyLanes(
      withTransactions(
        failingWith(new Error('timeout exceeded when trying to connect')),
        failingWith(new AggregateError([new Error('connect ECONNREFUSED')])),
        // Within the work, as a query that gets no answer.
        (work) =>
          context.db.transaction((tx) => work(new Proxy(tx, { get: () => loseConnection }) as typeof tx)),
      ),
    );
    lanes.recordBountyMoves(lobby.id, [{ from, to, amount: 5n }]);
    await lanes.drain();
    expect(await readBalance(context.db, bountyOf(lobby.id, to))).toBe(5n);
  });

  test('does not wait for what will never be right', async () => {
    const lanes = createMoneyLanes(context);
    const nobody = entryId(randomUUID());
    const outcome = { kind: 'killed', amount: 0n, massMilli: 0 } as const;
    await expect(lanes.settleEntry(lobby.id, nobody, outcome)).rejects.toThrow('There is no entry');
  });
});
