import { desc, eq, type SQL } from 'drizzle-orm';
import { lobbies } from '../../platform/database/games.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import { type UserRow, users } from '../../platform/database/people.ts';
import { entryLink, money, number, offer, playerLink, table, timed, toned } from '../sections.ts';
import type { ConsoleContext } from '../view.ts';
import { whyPayoutWaits } from '../why-unpaid.ts';

const COLUMNS = ['when', 'player', 'entry', 'lobby', number('amount'), 'kind', 'why', 'transaction'];
const ROWS = 100;

/** Payouts with what they wait for in words, newest first. */
export async function payoutsTable(
  { db, switches, nowMs }: ConsoleContext,
  user: UserRow,
  {
    title,
    which,
    empty,
  }: { readonly title: string; readonly which: SQL | undefined; readonly empty: string },
) {
  const { 'payouts-paused': arePayoutsPaused } = await switches.read();
  const rows = await db
    .select({ payout: payouts, lobby: lobbies, batch: payoutBatches, name: users.name })
    .from(payouts)
    .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .leftJoin(users, eq(users.id, payouts.userId))
    .where(which)
    .orderBy(desc(payouts.createdAt))
    .limit(ROWS);
  return table(
    title,
    COLUMNS,
    rows.map(({ payout, lobby, batch, name }) => {
      const why = whyPayoutWaits({ payout, batch: batch ?? undefined, arePayoutsPaused, nowMs: nowMs() });
      const isPending = payout.status === 'pending';
      return {
        cells: {
          when: timed(payout.createdAt),
          player: payout.userId && name ? playerLink(payout.userId, name) : payout.wallet,
          entry: payout.entryId && entryLink(payout.entryId),
          lobby: lobby.name,
          amount: money(payout.amount, lobby),
          kind: payout.isRefund ? 'refund' : 'cash-out',
          why: toned(why.text, why.tone),
          transaction: batch?.signature ?? null,
        },
        actions: payoutActions(user, payout.id, {
          isHeld: payout.heldAt !== null,
          canBeHeld: isPending && payout.heldAt === null,
          waits: isPending && payout.notBefore !== null && payout.heldAt === null,
        }),
      };
    }),
    { empty },
  );
}

function payoutActions(
  user: UserRow,
  id: string,
  can: { readonly isHeld: boolean; readonly canBeHeld: boolean; readonly waits: boolean },
) {
  return offer(
    user,
    can.isHeld && { label: 'Release', command: 'payouts release', positionals: [id] },
    can.canBeHeld && { label: 'Hold', command: 'payouts hold', positionals: [id] },
    can.waits && { label: 'Retry', command: 'payouts retry', positionals: [id] },
  );
}
