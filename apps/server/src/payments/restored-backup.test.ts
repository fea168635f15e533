import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  payEverything,
  payoutDeps,
  STAKE,
} from '../../testing/paid-players.ts';
import { ask, confirm, createUser, expireTimedOut, pay, takeBody, verifyAll } from '../../testing/players.ts';
import { type Service, startPostgres } from '../../testing/services.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import { settleEntry } from '../entries/settle-entry.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { bountyOf } from '../money/ledger/accounts.ts';
import { post } from '../money/ledger/post.ts';
import { payLobby } from '../money/payouts/pay-lobby.ts';
import { findPool } from '../money/pool.ts';
import type { Context } from '../platform/context.ts';
import { payouts } from '../platform/database/money.ts';
import { type OpenDatabase, openDatabase } from '../platform/database/open-database.ts';
import { openSwitches } from '../platform/switches.ts';
import { reconcileLobby } from './reconcile-lobby.ts';

const hasPostgres = globSync('/usr/lib/postgresql/*/bin/initdb').length > 0;

describe.skipIf(!hasPostgres)('a database that is restored from a backup', () => {
  let postgres: Service;
  let server: TestServer;
  /** Of the newest database: the chain knows nothing of two. */
  let context: Context;
  let lobby: LobbyRow;
  let folder: string;
  let backups = 0;
  const restored: OpenDatabase[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engulf-backup-'));
    postgres = await startPostgres();
    // It listens before it takes anybody in.
    await vi.waitFor(() => execFileSync('pg_isready', [`--dbname=${postgres.url}`]), { timeout: 20_000 });
    const before = process.env['TEST_DATABASE_URL'];
    process.env['TEST_DATABASE_URL'] = postgres.url;
    server = await startTestServer();
    if (before === undefined) delete process.env['TEST_DATABASE_URL'];
    else process.env['TEST_DATABASE_URL'] = before;
    context = server.context;
    lobby = await server.lobby('Shallows');
  });
  afterAll(async () => {
    for (const database of restored) await database.close();
    await server.dispose();
    await postgres.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const urlOf = (name: string) => postgres.url.replace(/\/postgres$/, `/${name}`);

  /** As docs/operations.md says. */
  async function backUp(): Promise<string> {
    const { rows } = await context.db.execute<{ name: string }>(sql`select current_database() as name`);
    const file = join(folder, `backup-${backups++}`);
    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, urlOf(rows[0]!.name)]);
    return file;
  }

  /** A server on the restored database, like after the loss of the old one; the chain has gone on. */
  async function restore(file: string): Promise<Context> {
    const name = `restored_${backups++}`;
    execFileSync('createdb', [`--maintenance-db=${postgres.url}`, name]);
    execFileSync('pg_restore', ['--exit-on-error', `--dbname=${urlOf(name)}`, file]);
    const database = await openDatabase({ kind: 'postgres', url: urlOf(name) });
    restored.push(database);
    const { db } = database;
    return { ...server.afterRestart(), db, switches: openSwitches(db, context.nowMs) };
  }

  const newPlayer = () => newPaidPlayer({ ...server, context }, lobby);
  const cashOut = ({ entryId }: PaidPlayer, amount = STAKE) =>
    context.db.transaction((tx) =>
      settleEntry(context, tx, { entryId, kind: 'cashout', amount, massMilli: 40_000 }),
    );
  const balanceOf = async ({ wallet }: { wallet: KeyPairSigner }) =>
    (await context.chain.rpc.getBalance(wallet.address, { commitment: 'finalized' }).send()).value;

  test('pays nobody a second time, and everybody who was not paid', async () => {
    const [waiting, inFlight, playing, unpaid] = [
      await newPlayer(),
      await newPlayer(),
      await newPlayer(),
      await newPlayer(),
    ] as const;
    await cashOut(inFlight);
    await payLobby(context, lobby.id, payoutDeps(context, { send: async () => undefined }));
    await cashOut(waiting);
    const file = await backUp();

    await cashOut(playing);
    await payEverything(context, lobby);
    const late = await newPlayer();
    const players = [waiting, inFlight, playing, unpaid, late];
    const before = await Promise.all(players.map(balanceOf));

    context = await restore(file);
    // The worker may be faster than the refunds of what seems to be played still.
    await reconcileLobby(context, lobby.id);
    await payLobby(context, lobby.id, payoutDeps(context));
    await recoverEntries(context);
    server.advance(120_000);
    await payEverything(context, lobby);

    const gained = (await Promise.all(players.map(balanceOf))).map((now, index) => now - before[index]!);
    expect(gained).toEqual([0n, 0n, 0n, STAKE, STAKE]);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('pays nobody a second time out of gifts, although it learns only later what the claim has paid', async () => {
    const donor = await server.newWallet();
    const pool = await findPool(context, lobby as Parameters<typeof findPool>[1]);
    await server.sendFrom(
      donor,
      getTransferSolInstruction({ source: donor, destination: pool!.address, amount: STAKE }),
    );
    await reconcileLobby(context, lobby.id);
    const wallet = await server.newWallet();
    const user = await createUser(context, wallet);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    await verifyAll(context);
    const file = await backUp();

    await cashOut({ wallet, user, entryId: await takeBody(context, user, lobby) });
    await payEverything(context, lobby);
    const before = await balanceOf({ wallet });

    context = await restore(file);
    await reconcileLobby(context, lobby.id);
    server.advance(3_800_000);
    await expireTimedOut(context);
    await payEverything(context, lobby);
    expect(await balanceOf({ wallet })).toBe(before);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('pays nothing at all if the chain paid otherwise, until somebody makes good what is missing', async () => {
    const winner = await newPlayer();
    const loser = await newPlayer();
    const file = await backUp();

    await context.db.transaction((tx) =>
      post(tx, {
        key: 'a bite after the backup',
        lobbyId: lobby.id,
        postings: [
          {
            debit: bountyOf(lobby.id, loser.entryId),
            credit: bountyOf(lobby.id, winner.entryId),
            amount: STAKE,
          },
        ],
      }),
    );
    await cashOut(winner, 2n * STAKE);
    await payEverything(context, lobby);
    const before = await Promise.all([winner, loser].map(balanceOf));

    context = await restore(file);
    await recoverEntries(context);
    for (let minute = 0; minute < 5; minute++) {
      await payLobby(context, lobby.id, payoutDeps(context));
      server.advance(61_000);
    }
    expect(await Promise.all([winner, loser].map(balanceOf))).toEqual(before);
    const owed = await context.db.select().from(payouts).where(eq(payouts.status, 'pending'));
    expect(owed.map(({ amount }) => amount)).toEqual([STAKE, STAKE]);

    const operator = await server.newWallet();
    const pool = await findPool(context, lobby as Parameters<typeof findPool>[1]);
    await server.sendFrom(
      operator,
      getTransferSolInstruction({ source: operator, destination: pool!.address, amount: 2n * STAKE }),
    );
    await reconcileLobby(context, lobby.id);
    server.advance(3_600_000);
    await payEverything(context, lobby);
    expect(await Promise.all([winner, loser].map(balanceOf))).toEqual(before.map((amount) => amount + STAKE));
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('books a claim once that was stored but not signed at the time of the backup, gifts or not', async () => {
    const winner = await newPlayer();
    const donor = await server.newWallet();
    const pool = await findPool(context, lobby as Parameters<typeof findPool>[1]);
    await server.sendFrom(
      donor,
      getTransferSolInstruction({ source: donor, destination: pool!.address, amount: STAKE }),
    );
    await reconcileLobby(context, lobby.id);
    await cashOut(winner);
    const sign = () => Promise.reject(new Error('the signer does not answer'));
    await payLobby(
      context,
      lobby.id,
      payoutDeps(context, { signer: { ...payoutDeps(context).signer, sign } as never }),
    );
    const file = await backUp();

    await payEverything(context, lobby);
    context = await restore(file);
    await reconcileLobby(context, lobby.id);
    server.advance(61_000);
    await payEverything(context, lobby);
    await expectBooksToMatchTheChain(context, lobby);
  });
});
