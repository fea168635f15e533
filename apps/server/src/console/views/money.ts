import { formatExactAmount } from '@engulf/domain/money/amount';
import { and, eq, gte, inArray, ne, sql } from 'drizzle-orm';
import { withChain } from '../../admin/command.ts';
import { readSignerFunds } from '../../money/signer-funds.ts';
import { lobbies } from '../../platform/database/games.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import { solvencyNow } from '../../platform/database/solvency.ts';
import { readCharts } from '../charts.ts';
import { money, number, table, timed, toned } from '../sections.ts';
import type { ConsoleContext, View } from '../view.ts';
import { payoutsTable } from './payout-rows.ts';

export const moneyView: View = {
  title: 'Money',
  least: 'admin',
  read: async (context, user, { range }) => [
    await payoutsTable(context, user, {
      title: 'Payouts on the way',
      which: ne(payouts.status, 'completed'),
      empty: 'Everybody has been paid.',
    }),
    await poolsTable(context),
    ...(await readCharts(context, range ?? 'day', ['money', 'payouts'])),
    await signerTable(context),
  ],
};

const STALE_MS = 60_000;

async function poolsTable({ db, nowMs }: ConsoleContext) {
  const rows = await db
    .select({ lobby: lobbies, reading: solvencyNow })
    .from(solvencyNow)
    .innerJoin(lobbies, eq(lobbies.id, solvencyNow.lobbyId))
    .where(ne(lobbies.stage, 'removed'));
  return table(
    'Pools beside what is owed',
    ['lobby', number('pool'), number('carried'), number('not shared'), number('payouts'), 'state', 'read'],
    rows.map(({ lobby, reading }) => {
      const isStale = nowMs() - reading.readAt.getTime() > STALE_MS;
      return {
        cells: {
          lobby: lobby.name,
          pool: money(reading.pool, lobby),
          carried: money(reading.bounties, lobby),
          'not shared': money(reading.spill, lobby),
          payouts: money(reading.payouts, lobby),
          state: isStale
            ? toned('not read lately', 'warn')
            : reading.isCovered
              ? toned('covered', 'good')
              : toned('SHORT', 'bad'),
          read: timed(reading.readAt),
        },
      };
    }),
    { empty: 'No pool has been read yet.' },
  );
}

const HOUR_MS = 3_600_000;

/** What was signed against the limits, and what the signer has left to pay the chain with. */
async function signerTable(context: ConsoleContext) {
  const { payouts: config } = context;
  const funds = await withChain(context)
    .then((whole) =>
      readSignerFunds(whole, {
        // The alarm is the worker's.
        lowClaims: 0,
        maxPriorityFeeLamports: config.maxPriorityFeeLamports,
      }),
    )
    .catch(() => undefined);
  const { sol } = config.limits;
  const [hour, day] = [await signedSince(context, HOUR_MS), await signedSince(context, 24 * HOUR_MS)];
  const text = (units: bigint) => `${formatExactAmount(units, { symbol: 'SOL', decimals: 9 })} SOL`;
  const row = (what: string, value: string, limit: string, tone?: 'good' | 'bad') => ({
    cells: { what, value: toned(value, tone), limit },
  });
  return table(
    'Signer',
    ['what', number('value'), number('limit')],
    [
      funds
        ? row(
            'funds for claims',
            text(funds.lamports),
            `${funds.claimsLeft} claims left`,
            funds.claimsLeft < config.lowFundsClaims ? 'bad' : 'good',
          )
        : row('funds for claims', 'the node is away', ''),
      row('one payout', '', text(sol.payout)),
      row('signed in the last hour', text(hour), text(sol.hour), hour >= sol.hour ? 'bad' : undefined),
      row('signed in the last day', text(day), text(sol.day), day >= sol.day ? 'bad' : undefined),
    ],
    { empty: '', note: 'In SOL; tokens have limits of their own in the settings.' },
  );
}

async function signedSince({ db, nowMs }: ConsoleContext, ms: number): Promise<bigint> {
  const [row] = await db
    .select({ sum: sql<string | null>`sum(${payouts.amount})` })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
    .where(
      and(
        inArray(payoutBatches.status, ['open', 'finalized']),
        gte(payoutBatches.createdAt, new Date(nowMs() - ms)),
        sql`${lobbies.tokenMint} is null`,
      ),
    );
  return BigInt(row?.sum ?? 0);
}
