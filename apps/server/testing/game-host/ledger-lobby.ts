import { randomUUID } from 'node:crypto';
import { type EntryId, entryId, type LobbyId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { generateKeyPairSigner } from '@solana/kit';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { bountyOf, poolOf } from '../../src/money/ledger/accounts.ts';
import { post } from '../../src/money/ledger/post.ts';
import type { Context } from '../../src/platform/context.ts';
import { entries } from '../../src/platform/database/games.ts';
import type { Database } from '../../src/platform/database/open-database.ts';
import { createUser } from '../players.ts';

/* Paid lobbies and entries as rows of the real database, without a chain behind them. */

/** An entry that plays, with its stake as the bounty. */
export async function insertPlayingEntry(context: Context, lobby: LobbyId, stake: bigint): Promise<EntryId> {
  const { db } = context;
  const id = entryId(randomUUID());
  const user = await createUser(context, await generateKeyPairSigner());
  await db.insert(entries).values({
    id,
    userId: user.id,
    lobbyId: lobby,
    state: 'playing',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: stake,
    stake,
  });
  const postings = [{ debit: poolOf(lobby), credit: bountyOf(lobby, id), amount: stake }];
  await db.transaction((tx) => post(tx, { key: `stake:${id}`, lobbyId: lobby, postings }));
  return id;
}

/** How a transaction fails: before it begins, during its first query, or after it was committed. */
type WriteFailure = 'noConnection' | 'lostInside' | 'lostAfterCommit';

/** A context whose next transactions fail as told. */
export function withWriteFailures(context: Context): {
  readonly context: Context;
  readonly failures: WriteFailure[];
} {
  const failures: WriteFailure[] = [];
  const transaction: Database['transaction'] = async (work) => {
    const failure = failures.shift();
    if (failure === 'noConnection') throw new AggregateError([new Error('connect ECONNREFUSED')]);
    const answer = await context.db.transaction((tx) =>
      work(failure === 'lostInside' ? (new Proxy(tx, { get: () => loseConnection }) as typeof tx) : tx),
    );
    if (failure === 'lostAfterCommit') throw new Error('Connection terminated unexpectedly');
    return answer;
  };
  const db = new Proxy(context.db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
  return { context: { ...context, db }, failures };
}

function loseConnection(): never {
  throw new DrizzleQueryError('insert', [], new Error('Connection terminated unexpectedly'));
}
