import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, asc, count, eq, isNotNull, min, ne, sql } from 'drizzle-orm';
import type { AdminContext } from '../../admin/command.ts';
import { describeLobby } from '../../admin/commands/lobbies.ts';
import { isPaid, listAllLobbies } from '../../lobbies/lobby-rows.ts';
import {
  entries,
  gameProcesses,
  lobbyLeases,
  matchAnchors,
  payments,
} from '../../platform/database/games.ts';
import { payouts, unreadableTransactions } from '../../platform/database/money.ts';
import type { UserRow } from '../../platform/database/people.ts';
import { readCharts } from '../charts.ts';
import { money, number, offer, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';

export const nowView: View = {
  title: 'Now',
  least: 'operator',
  read: async (admin, user, { range }) => [
    await lobbiesTable(admin, user),
    ...(await readCharts(admin, range ?? 'day', ['players', 'ticks'])),
    await waitingTable(admin),
    await partsTable(admin),
    await processesTable(admin),
  ],
};

const DRAIN_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

async function lobbiesTable(admin: AdminContext, user: UserRow) {
  const rows = (await listAllLobbies(admin.db)).filter(({ stage }) => stage !== 'removed');
  // Whole minutes, so that it reads well.
  const drainAt = new Date(Math.ceil((admin.nowMs() + DRAIN_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  const leases = await admin.db.select().from(lobbyLeases);
  const processOf = new Map(leases.map(({ lobbyId, processId }) => [lobbyId, processId]));
  const described = await Promise.all(
    rows.map(async (lobby) => {
      const { state, price, seats, region } = await describeLobby(admin, lobby);
      const room = await admin.presence.read(lobby.id);
      const isClosed = lobby.isLocked || lobby.drainsAtMs !== null;
      return {
        cells: {
          lobby: lobby.name,
          price,
          state: toned(state, state === 'open' ? 'good' : 'warn'),
          people: `${room?.totalPlayers ?? 0} of ${seats}`,
          bots: room?.totalBots ?? 0,
          'in the arena': isPaid(lobby) ? money(room?.poolTotal ?? 0n, lobby) : null,
          region,
          process: processOf.get(lobby.id)?.slice(0, 8) ?? null,
        },
        actions: offer(
          user,
          isClosed && { label: 'Unlock', command: 'lobby unlock', positionals: [lobby.id] },
          !isClosed && {
            label: 'Drain',
            command: 'lobby drain',
            positionals: [lobby.id],
            asks: [{ name: 'at', label: 'Closes at (UTC)', value: drainAt }],
          },
          !lobby.isLocked && { label: 'Lock', command: 'lobby lock', positionals: [lobby.id] },
          isPaid(lobby) && {
            label: 'Price',
            command: 'lobby price',
            positionals: [lobby.id],
            asks: [{ name: '+', label: `New price in ${lobby.tokenSymbol}`, value: '' }],
          },
        ),
      };
    }),
  );
  return table(
    'Lobbies',
    [
      'lobby',
      'price',
      'state',
      number('people'),
      number('bots'),
      number('in the arena'),
      'region',
      'process',
    ],
    described,
    { empty: 'There are no lobbies. Create one with the operator’s tool.' },
  );
}

const LATE_MS = 60_000;

/** What the worker would have done by now if nothing were wrong. */
async function waitingTable({ db, nowMs }: AdminContext) {
  const oldest = (column: Parameters<typeof min>[0]) => ({ count: count(), oldest: min(column) });
  const now = new Date(nowMs());
  const isDue = sql`(${payouts.notBefore} is null or ${payouts.notBefore} <= ${now.toISOString()})`;
  const [verifying] = await db
    .select(oldest(payments.createdAt))
    .from(payments)
    .where(eq(payments.status, 'verifying'));
  const [unpaid] = await db
    .select(oldest(payouts.createdAt))
    .from(payouts)
    .where(and(ne(payouts.status, 'completed'), sql`${payouts.heldAt} is null`, isDue));
  const [held] = await db.select(oldest(payouts.heldAt)).from(payouts).where(isNotNull(payouts.heldAt));
  const [timedOut] = await db
    .select(oldest(entries.stateExpiresAt))
    .from(entries)
    .where(sql`${entries.stateExpiresAt} <= ${now.toISOString()}`);
  const [anchors] = await db
    .select(oldest(matchAnchors.createdAt))
    .from(matchAnchors)
    .where(sql`${matchAnchors.slot} is null and not ${matchAnchors.isLost}`);
  const [unreadable] = await db
    .select(oldest(unreadableTransactions.firstSeenAt))
    .from(unreadableTransactions);
  const row = (
    work: string,
    found: { readonly count: number; readonly oldest: unknown } | undefined,
    lateMs = LATE_MS,
  ) => {
    const since = found?.oldest ? new Date(found.oldest as string | Date) : undefined;
    const isLate = since !== undefined && nowMs() - since.getTime() > lateMs;
    return {
      cells: {
        work,
        waiting: found?.count ?? 0,
        'oldest since': timed(since),
        state: isLate ? toned('late', 'bad') : toned(found?.count ? 'in time' : 'nothing', 'quiet'),
      },
    };
  };
  return table(
    'Work that waits',
    ['work', number('waiting'), 'oldest since', 'state'],
    [
      row('payments to verify', verifying),
      row('payouts to send', unpaid),
      row('payouts that a person holds', held, Number.POSITIVE_INFINITY),
      row('seats to give back', timedOut),
      row('commitments to publish', anchors),
      row('transactions that no node can show', unreadable, 0),
    ],
    { empty: '' },
  );
}

const ANSWER_WITHIN_MS = 3_000;
const SLOW_MS = 500;

async function partsTable({ db, openChain }: AdminContext) {
  const parts = await Promise.all([
    timeOf('database', () => db.execute(sql`select 1`)),
    timeOf('node of the chain', async () => {
      const { rpc } = await openChain();
      return rpc.getSlot().send({ abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    }),
  ]);
  return table('Parts behind', ['part', number('answers in'), 'state'], parts, { empty: '' });
}

async function timeOf(part: string, ask: () => PromiseLike<unknown>) {
  const startedMs = performance.now();
  const isThere = await Promise.resolve(ask()).then(
    () => true,
    () => false,
  );
  const ms = Math.round(performance.now() - startedMs);
  const state = !isThere ? toned('away', 'bad') : ms > SLOW_MS ? toned('slow', 'warn') : toned('ok', 'good');
  return { cells: { part, 'answers in': `${ms} ms`, state } };
}

async function processesTable({ db }: AdminContext) {
  const processes = await db.select().from(gameProcesses).orderBy(asc(gameProcesses.id));
  const leases = await db.select().from(lobbyLeases);
  const lobbiesOf = Map.groupBy(leases, ({ processId }) => processId);
  const running = new Map<LobbyId, string>(leases.map(({ lobbyId, processId }) => [lobbyId, processId]));
  return table(
    'Game processes',
    [
      'process',
      'address',
      'region',
      'version',
      number('lobbies'),
      number('heartbeats'),
      number('slowest ticks'),
      'state',
    ],
    processes.map(({ id, address, region, version, beats, isDraining, slowTickMs }) => ({
      cells: {
        process: id.slice(0, 8),
        address: address ?? 'the page’s own',
        region,
        version,
        lobbies: lobbiesOf.get(id)?.length ?? 0,
        heartbeats: beats,
        'slowest ticks': slowTickMs === null ? null : tickCell(slowTickMs),
        state: isDraining ? toned('leaving', 'warn') : toned('taking lobbies', 'good'),
      },
    })),
    { empty: 'No game process is alive.', note: `${running.size} lobbies have a room.` },
  );
}

/** Of the 40 that a tick may take. */
const SLOW_TICK_MS = 20;

function tickCell(ms: number) {
  return toned(`${ms.toFixed(1)} ms`, ms > SLOW_TICK_MS ? 'bad' : undefined);
}
