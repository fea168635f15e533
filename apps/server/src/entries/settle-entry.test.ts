import { randomUUID } from 'node:crypto';
import { type EntryId, entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { bountyOf, poolOf, spillOf } from '../money/ledger/accounts.ts';
import { post, readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { type SettlementRequest, settleEntry } from './settle-entry.ts';

let database: OpenDatabase;
let context: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
});
afterAll(() => database.close());

/** An entry that plays and carries this much. */
async function newPlaying({ id: lobbyId }: LobbyRow, carried: bigint): Promise<EntryId> {
  const { db } = database;
  const { id: userId } = await newUser(db);
  const id = entryId(randomUUID());
  const session = paymentSessionId(randomUUID());
  await db
    .insert(entries)
    .values({ id, userId, lobbyId, state: 'playing', paymentSessionId: session, entryFee: 50n });
  const postings = [{ debit: poolOf(lobbyId), credit: bountyOf(lobbyId, id), amount: carried }];
  await db.transaction((tx) => post(tx, { key: id, lobbyId, postings }));
  return id;
}

const settle = (request: Pick<SettlementRequest, 'entryId' | 'kind' | 'amount'>) =>
  database.db.transaction((tx) => settleEntry(context, tx, { massMilli: null, ...request }));

test('whatever a room reports, an entry is granted at most what it carries, and the rest spills', async () => {
  const kind = fc.constantFrom('cashout', 'killed', 'forfeit', 'closed', 'fault');
  const amount = fc.option(fc.bigInt({ min: 0n, max: 200n }), { nil: undefined });
  const carries = fc.bigInt({ min: 0n, max: 100n });
  await fc.assert(
    fc.asyncProperty(kind, amount, carries, async (kind, amount, carried) => {
      const lobby = await newPaidLobby(database.db);
      const id = await newPlaying(lobby, carried);
      const forfeited = amount !== undefined && amount < carried ? amount : carried;
      const expected = kind === 'killed' ? 0n : kind === 'forfeit' ? forfeited : carried;
      expect(await settle({ entryId: id, kind, amount })).toMatchObject({ amount: expected, isNew: true });
      expect(await readBalance(database.db, bountyOf(lobby.id, id))).toBe(0n);
      expect(await readBalance(database.db, spillOf(lobby.id))).toBe(carried - expected);
    }),
    {
      numRuns: 30,
      examples: [
        ['forfeit', 101n, 100n],
        ['forfeit', 99n, 100n],
        ['forfeit', undefined, 100n],
      ],
    },
  );
  expect((await auditLedger(database.db)).faults).toEqual([]);
});
