import type { UserId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import { and, count, desc, eq, gt } from 'drizzle-orm';
import { readMutes } from '../../chat/kicks.ts';
import { entries, lobbies, payments } from '../../platform/database/games.ts';
import { integrityCases, integrityReports } from '../../platform/database/integrity.ts';
import { depositLimits, playBreaks } from '../../platform/database/limits.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import { signInSessions, type UserRow, users } from '../../platform/database/people.ts';
import { isOwnCase } from '../allowed-commands.ts';
import { entryLink, fields, linked, money, number, offer, table, timed, toned } from '../sections.ts';
import type { ConsoleContext, View } from '../view.ts';
import { whyUnpaid } from '../why-unpaid.ts';
import { payoutsTable } from './payout-rows.ts';

const ROWS = 100;

export const playerView: View = {
  title: 'Player',
  least: 'operator',
  isDetail: true,
  read: async (context, user, { id = '' }) => {
    const [player] = isUuid(id)
      ? await context.db
          .select()
          .from(users)
          .where(eq(users.id, id as UserId))
      : [];
    if (!player) return [fields('There is no such player', {})];
    return [
      await describe(context, user, player),
      await entriesTable(context, player),
      await payoutsTable(context, user, {
        title: 'Payouts and refunds',
        which: eq(payouts.userId, player.id),
        empty: 'Nothing was owed so far.',
      }),
      await casesTable(context, user, player),
    ];
  },
};

async function describe({ db, nowMs }: ConsoleContext, user: UserRow, player: UserRow) {
  const now = new Date(nowMs());
  const isTheirs = eq(signInSessions.userId, player.id);
  const [sessions] = await db
    .select({ count: count() })
    .from(signInSessions)
    .where(and(isTheirs, gt(signInSessions.expiresAt, now)));
  const mutedUntilMs = (await readMutes(db, nowMs())).get(player.id);
  const [pause] = await db.select().from(playBreaks).where(eq(playBreaks.userId, player.id));
  const limits = await db.select().from(depositLimits).where(eq(depositLimits.userId, player.id));
  const [reports] = await db
    .select({ count: count() })
    .from(integrityReports)
    .where(eq(integrityReports.reported, player.id));
  const { id, name } = player;
  return fields(
    name,
    {
      wallet: player.walletAddress,
      role: player.role,
      joined: timed(player.createdAt),
      state: player.bannedAt ? toned(`banned: ${player.banReason}`, 'bad') : toned('not banned', 'good'),
      chat: mutedUntilMs === undefined ? 'may write' : toned(`muted until ${clock(mutedUntilMs)}`, 'warn'),
      sessions: sessions!.count,
      'own limits':
        limits.map(({ amount, currency }) => `${amount ?? 'none'} of ${currency}`).join(', ') || null,
      'on a break until': pause && pause.until > now ? timed(pause.until) : null,
      'reported by others': reports!.count,
    },
    offer(
      user,
      player.bannedAt === null && { label: 'Ban', command: 'user ban', positionals: [id] },
      player.bannedAt !== null && { label: 'Lift the ban', command: 'user unban', positionals: [id] },
      mutedUntilMs === undefined
        ? {
            label: 'Mute',
            command: 'chat mute',
            positionals: [id],
            asks: [{ name: 'until', label: 'Until (UTC)', value: inAnHour(nowMs()) }],
          }
        : { label: 'Unmute', command: 'chat unmute', positionals: [id] },
    ),
  );
}

const clock = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function inAnHour(nowMs: number): string {
  return new Date(Math.ceil((nowMs + 3_600_000) / 60_000) * 60_000).toISOString();
}

async function entriesTable({ db, switches, nowMs }: ConsoleContext, player: UserRow) {
  const { 'payouts-paused': arePayoutsPaused } = await switches.read();
  const rows = await db
    .select({ entry: entries, lobby: lobbies, payout: payouts, batch: payoutBatches, payment: payments })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .leftJoin(payouts, eq(payouts.entryId, entries.id))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .leftJoin(payments, eq(payments.entryId, entries.id))
    .where(eq(entries.userId, player.id))
    .orderBy(desc(entries.createdAt), desc(payments.status))
    .limit(ROWS);
  // A seat may have several payments: the verified one sorts before those that are verifying or refused.
  const once = new Map(rows.toReversed().map((row) => [row.entry.id, row]));
  return table(
    'Entries',
    ['when', 'entry', 'lobby', number('paid'), 'state', 'outcome', number('owed'), 'why'],
    [...once.values()].toReversed().map(({ entry, lobby, payout, batch, payment }) => {
      const why = whyUnpaid(entry, payment ?? undefined, {
        payout: payout ?? undefined,
        batch: batch ?? undefined,
        arePayoutsPaused,
        nowMs: nowMs(),
      });
      return {
        cells: {
          when: timed(entry.createdAt),
          entry: entryLink(entry.id),
          lobby: lobby.name,
          paid: payment?.status === 'verified' ? money(entry.entryFee, lobby) : null,
          state: entry.state,
          outcome: entry.outcome,
          owed: payout ? money(payout.amount, lobby) : null,
          why: toned(why.text, why.tone),
        },
      };
    }),
    { empty: 'Has not entered any lobby.' },
  );
}

async function casesTable({ db }: ConsoleContext, user: UserRow, player: UserRow) {
  const found = await db
    .select()
    .from(integrityCases)
    .where(eq(integrityCases.actor, player.id))
    .orderBy(desc(integrityCases.openedAt))
    .limit(ROWS);
  const rows = found.filter((row) => !isOwnCase(user, row));
  return table(
    'Integrity cases',
    ['opened', 'case', 'kinds', 'state', 'decided'],
    rows.map((row) => ({
      cells: {
        opened: timed(row.openedAt),
        case: linked(row.id.slice(0, 8), `?view=integrity&id=${row.id}`),
        kinds: row.findings.map(({ kind }) => kind).join(', '),
        state: toned(row.state, row.state === 'open' ? 'warn' : 'quiet'),
        decided: timed(row.decidedAt),
      },
    })),
    { empty: 'There are none.' },
  );
}
