import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../platform/context.ts';
import { lobbies, payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import { solvencyNow } from '../platform/database/solvency.ts';
import { rememberFor } from '../platform/remember.ts';
import type { Metrics } from './metrics.ts';

/** However often the metrics are scraped, the tables are read at most this often. */
const MEMORY = { ms: 5_000, maxKeys: 1 } as const;

type SignerBalance = { readonly lamports: bigint; readonly claimsLeft: number };

/**
 * The state of the money, from the tables. The same in every process that measures it, so only workers do. While the
 * database does not answer there are no such series, and the failures are counted. (`reset` would leave a gauge
 * without labels at 0.)
 */
export function measureBooks(
  { registry }: Metrics,
  context: Pick<Context, 'db' | 'nowMs'>,
  readSigner: () => SignerBalance | undefined,
): void {
  const registers = [registry];
  const failures = new Counter({
    name: 'engulf_books_read_failures_total',
    help: 'Times that the tables could not be read for these metrics',
    registers,
  });
  const books = rememberFor({ ...MEMORY, nowMs: context.nowMs }, (_: 'books') => readBooks(context));
  const measure = <Label extends string>(
    description: { readonly name: string; readonly help: string; readonly labelNames: readonly Label[] },
    set: (gauge: Gauge<Label>, read: Books) => void,
  ) =>
    new Gauge({
      ...description,
      registers,
      async collect() {
        if (description.labelNames.length > 0) this.reset();
        else this.remove();
        await books('books').then(
          (read) => set(this, read),
          () => failures.inc(),
        );
      },
    });
  measure(
    {
      name: 'engulf_lobby_money',
      help: 'The pool of a lobby on the chain and what is owed out of it, in base units of its token',
      labelNames: ['lobby', 'token', 'part'],
    },
    (gauge, { readings }) => {
      for (const { lobby, token, ...row } of readings) {
        for (const part of ['pool', 'bounties', 'spill', 'payouts', 'gifts'] as const) {
          gauge.set({ lobby, token, part }, Number(row[part]));
        }
      }
    },
  );
  measure(
    {
      name: 'engulf_lobby_covered',
      help: '1 if the pool of a lobby covers what is owed out of it',
      labelNames: ['lobby'],
    },
    (gauge, { readings }) => {
      for (const { lobby, isCovered } of readings) gauge.set({ lobby }, isCovered ? 1 : 0);
    },
  );
  measure(
    {
      name: 'engulf_lobby_reading_age_seconds',
      help: 'Age of the newest reading of a pool',
      labelNames: ['lobby'],
    },
    (gauge, { readings }) => {
      for (const { lobby, readAt } of readings) gauge.set({ lobby }, ageSeconds(context, readAt));
    },
  );
  measure(
    {
      name: 'engulf_payouts_open',
      help: 'Payouts that are not completed; held ones wait for a person',
      labelNames: ['state'],
    },
    (gauge, { open }) => {
      for (const state of ['pending', 'processing', 'held'] as const) gauge.set({ state }, open[state]);
    },
  );
  measure(
    {
      name: 'engulf_oldest_payout_age_seconds',
      help: 'Age of the oldest payout that is neither completed nor held; 0 without one',
      labelNames: [],
    },
    (gauge, { open }) => gauge.set(ageSeconds(context, open.oldest)),
  );
  measure(
    {
      name: 'engulf_oldest_verification_age_seconds',
      help: 'Age of the oldest payment that is not decided; 0 without one',
      labelNames: [],
    },
    (gauge, { oldestPayment }) => gauge.set(ageSeconds(context, oldestPayment)),
  );
  new Gauge({
    name: 'engulf_signer_lamports',
    help: 'What the poorest wallet that signs claims has to pay for them',
    registers,
    collect() {
      this.remove();
      const funds = readSigner();
      if (funds) this.set(Number(funds.lamports));
    },
  });
  new Gauge({
    name: 'engulf_signer_claims_left',
    help: 'How many payouts that is enough for, at the highest price',
    registers,
    collect() {
      this.remove();
      const funds = readSigner();
      if (funds) this.set(funds.claimsLeft);
    },
  });
}

type Books = Awaited<ReturnType<typeof readBooks>>;

async function readBooks({ db }: Pick<Context, 'db'>) {
  const readings = await db
    .select({
      lobby: lobbies.name,
      token: lobbies.tokenSymbol,
      pool: solvencyNow.pool,
      bounties: solvencyNow.bounties,
      spill: solvencyNow.spill,
      payouts: solvencyNow.payouts,
      gifts: solvencyNow.gifts,
      isCovered: solvencyNow.isCovered,
      readAt: solvencyNow.readAt,
    })
    .from(solvencyNow)
    .innerJoin(lobbies, eq(lobbies.id, solvencyNow.lobbyId))
    .where(ne(lobbies.stage, 'removed'));
  const isHeld = isNotNull(payouts.heldAt);
  const [open] = await db
    .select({
      pending: sql<number>`count(*) filter (where ${and(eq(payouts.status, 'pending'), sql`not ${isHeld}`)})::int`,
      processing: sql<number>`count(*) filter (where ${eq(payouts.status, 'processing')})::int`,
      held: sql<number>`count(*) filter (where ${isHeld})::int`,
      oldest: sql<string | null>`min(${payouts.createdAt}) filter (where not ${isHeld})`,
    })
    .from(payouts)
    .where(ne(payouts.status, 'completed'));
  const [verifying] = await db
    .select({ oldest: sql<string | null>`min(${payments.createdAt})` })
    .from(payments)
    .where(eq(payments.status, 'verifying'));
  return { readings, open: open!, oldestPayment: verifying!.oldest };
}

function ageSeconds({ nowMs }: Pick<Context, 'nowMs'>, since: Date | string | null): number {
  return since === null ? 0 : Math.max(0, nowMs() - new Date(since).getTime()) / 1000;
}
