import { randomUUID } from 'node:crypto';
import { type EntryId, entryId, type LobbyId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLedger } from '../../../testing/audit-ledger.ts';
import { newPaidLobby } from '../../../testing/new-lobby.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { ledgerAccounts, ledgerPostings } from '../../platform/database/money.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { type Account, bountyOf, poolOf, spillOf } from './accounts.ts';
import { type Posting, post, readBalance } from './post.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const newLobby = async () => (await newPaidLobby(database.db)).id;

const postAll = (lobby: LobbyId, key: string, postings: readonly Posting[]) =>
  database.db.transaction((tx) => post(tx, { key, lobbyId: lobby, postings }));

describe('the ledger', () => {
  test('posts an event once, however often it is repeated at the same time', async () => {
    const lobby = await newLobby();
    const bounty = bountyOf(lobby, entryId(randomUUID()));
    const key = randomUUID();
    const postings = [{ debit: poolOf(lobby), credit: bounty, amount: 2n ** 64n - 1n }];
    const attempts = Array.from({ length: 5 }, () => postAll(lobby, key, postings));
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect(await readBalance(database.db, bounty)).toBe(2n ** 64n - 1n);
  });

  test('cannot be overdrawn, and a refused event leaves nothing behind', async () => {
    const lobby = await newLobby();
    const [rich, poor] = [bountyOf(lobby, entryId(randomUUID())), bountyOf(lobby, entryId(randomUUID()))];
    await postAll(lobby, randomUUID(), [{ debit: poolOf(lobby), credit: rich, amount: 10n }]);
    const key = randomUUID();
    const tooMuch = [
      { debit: rich, credit: poor, amount: 4n },
      { debit: rich, credit: spillOf(lobby), amount: 7n },
    ];
    await expect(postAll(lobby, key, tooMuch)).rejects.toThrow();
    expect(await readBalance(database.db, rich)).toBe(10n);
    expect(await readBalance(database.db, poor)).toBe(0n);
    expect(await postAll(lobby, key, tooMuch.slice(0, 1))).toBe(true);
  });

  test('refuses to change or delete a posting', async () => {
    const lobby = await newLobby();
    const bounty = bountyOf(lobby, entryId(randomUUID()));
    await postAll(lobby, randomUUID(), [{ debit: poolOf(lobby), credit: bounty, amount: 1n }]);
    await expect(database.db.update(ledgerPostings).set({ amount: 2n })).rejects.toThrow();
    await expect(database.db.delete(ledgerPostings)).rejects.toThrow();
    await expect(database.db.execute(sql`truncate ledger_postings`)).rejects.toThrow();
  });

  test('conserves every unit over any sequence of moves between accounts', async () => {
    const players = 4;
    const move = fc.record({
      from: fc.integer({ min: 0, max: players + 1 }),
      to: fc.integer({ min: 1, max: players + 1 }),
      amount: fc.oneof(fc.bigInt({ min: 0n, max: 50n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(move, { maxLength: 4 }), { maxLength: 8 }), async (events) => {
        const lobby = await newLobby();
        const bounties = Array.from({ length: players }, () => entryId(randomUUID()) as EntryId);
        const accounts: Account[] = [
          poolOf(lobby),
          ...bounties.map((entry) => bountyOf(lobby, entry)),
          spillOf(lobby),
        ];
        const model = accounts.map(() => 0n);
        for (const event of events) {
          const moves = event.filter(({ from, to }) => from !== to);
          const after = [...model];
          for (const { from, to, amount } of moves) {
            after[from]! -= amount;
            after[to]! += amount;
          }
          const isAllowed = after.slice(1).every((balance) => balance >= 0n);
          const postings = moves.map(({ from, to, amount }) => ({
            debit: accounts[from]!,
            credit: accounts[to]!,
            amount,
          }));
          const posted = await postAll(lobby, randomUUID(), postings).then(
            () => true,
            () => false,
          );
          expect(posted).toBe(isAllowed);
          if (isAllowed) model.splice(0, model.length, ...after);
        }
        const { lobbies: books } = await auditLedger(database.db);
        const own = books.find((book) => book.lobbyId === lobby);
        expect(own?.pool ?? 0n).toBe(-model[0]!);
        expect((own?.bounties ?? 0n) + (own?.spill ?? 0n)).toBe(-model[0]!);
      }),
      { numRuns: 25 },
    );
    expect((await auditLedger(database.db)).faults).toEqual([]);
  });

  test('reports a balance that was changed by hand', async () => {
    const lobby = await newLobby();
    const bounty = bountyOf(lobby, entryId(randomUUID()));
    await postAll(lobby, randomUUID(), [{ debit: poolOf(lobby), credit: bounty, amount: 5n }]);
    await database.db.update(ledgerAccounts).set({ balance: 6n }).where(sql`id = ${bounty.id}`);
    const { faults } = await auditLedger(database.db);
    expect(faults.some((fault) => fault.includes(bounty.id))).toBe(true);
    expect(faults.some((fault) => fault.includes(lobby))).toBe(true);
  });
});
