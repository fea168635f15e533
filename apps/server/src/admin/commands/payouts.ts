import { formatExactAmount } from '@engulf/domain/money/amount';
import { and, asc, eq, isNotNull, ne } from 'drizzle-orm';
import { isPaid, listAllLobbies, tokenOf } from '../../lobbies/lobby-rows.ts';
import { dropUnsigned, findOpenBatch } from '../../money/payouts/pay-lobby.ts';
import { holdPayouts, releasePayouts, retryPayouts } from '../../money/payouts/payout-states.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { lobbies } from '../../platform/database/games.ts';
import { PAYOUT_STATUSES, type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import {
  type AdminContext,
  type Change,
  type Command,
  defineChange,
  defineRead,
  type Note,
  Refusal,
  withChain,
} from '../command.ts';
import { requireLobby, requirePayouts } from '../find-rows.ts';
import { isSet, oneOf, optionalText, wholeNumber } from '../read-values.ts';
import { showFields, showTable } from '../show.ts';
import { enablePayout } from './payout-enable.ts';

const MAX_ROWS = 10_000;

const listPayouts = defineRead({
  name: 'payouts list',
  about: 'Lists payouts that are not completed, oldest first.',
  positionals: [],
  options: {
    status: { type: 'string', value: 'STATUS', about: `Only these: ${PAYOUT_STATUSES.join(', ')}.` },
    lobby: { type: 'string', value: 'LOBBY', about: 'Only those of this lobby.' },
    held: { type: 'boolean', about: 'Only held ones.' },
    limit: { type: 'string', value: 'NUMBER', about: 'How many at most; 100 if not given.' },
  },
  read: async ({ admin: { db }, values }) => {
    const lobby = optionalText(values, 'lobby');
    const status = optionalText(values, 'status');
    const limit = wholeNumber(optionalText(values, 'limit') ?? '100', '--limit', { min: 1, max: MAX_ROWS });
    const rows = await db
      .select({ payout: payouts, lobby: lobbies })
      .from(payouts)
      .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
      .where(
        and(
          status === undefined
            ? ne(payouts.status, 'completed')
            : eq(payouts.status, oneOf(status, PAYOUT_STATUSES, '--status')),
          lobby === undefined ? undefined : eq(payouts.lobbyId, (await requireLobby(db, lobby)).id),
          isSet(values, 'held') ? isNotNull(payouts.heldAt) : undefined,
        ),
      )
      .orderBy(asc(payouts.createdAt), asc(payouts.id))
      .limit(limit);
    return showTable(
      rows.map(({ payout, lobby: row }) => ({
        id: payout.id,
        lobby: row.name,
        wallet: payout.wallet,
        amount: `${formatExactAmount(payout.amount, tokenOf(row))} ${row.tokenSymbol}`,
        kind: payout.isRefund ? 'refund' : 'cashout',
        status: payout.heldAt ? 'held' : payout.status,
        failedAttempts: payout.failedAttempts,
        notBefore: payout.notBefore,
        created: payout.createdAt,
      })),
      'There are no such payouts.',
    );
  },
});

const showPayout = defineRead({
  name: 'payouts show',
  about: 'Shows a payout and the transaction that pays it.',
  positionals: ['payout'],
  options: {},
  read: async ({ admin: { db }, positionals: [id] }) => {
    const [payout] = await requirePayouts(db, [id!]);
    const { batchId } = payout!;
    const [batch] = batchId ? await db.select().from(payoutBatches).where(eq(payoutBatches.id, batchId)) : [];
    const { amount, ...fields } = payout!;
    return showFields({
      ...fields,
      amountBaseUnits: amount,
      batchStatus: batch?.status,
      signature: batch?.signature,
      failureReason: batch?.failureReason,
      lastValidBlockHeight: batch?.lastValidBlockHeight,
    });
  },
});

const IDS = ['payout...'];

const retry = defineChange({
  name: 'payouts retry',
  about: 'Ends the wait of payouts that failed: the worker tries them now.',
  positionals: IDS,
  options: {},
  prepare: ({ admin, positionals }) =>
    prepare(admin, positionals, {
      whichOf: ({ status, notBefore }) => status === 'pending' && notBefore !== null,
      line: 'is tried now',
      apply: (tx, ids) => retryPayouts(tx, ids),
    }),
});

const hold = defineChange({
  name: 'payouts hold',
  about: 'Keeps payouts from being signed until they are released. They stay owed.',
  positionals: IDS,
  options: {},
  prepare: async ({ admin, positionals, values }) => {
    const rows = await requirePayouts(admin.db, positionals);
    const signed = rows.find(({ status }) => status !== 'pending');
    if (signed)
      throw new Refusal(`The payout ${signed.id} is ${signed.status}: it is signed and cannot be held.`);
    return prepare(admin, positionals, {
      whichOf: ({ heldAt }) => heldAt === null,
      line: 'is held',
      apply: (tx, ids) => holdPayouts(tx, ids, { reason: String(values['reason']), nowMs: admin.nowMs() }),
    });
  },
});

const release = defineChange({
  name: 'payouts release',
  about: 'Lets held payouts be signed again.',
  positionals: IDS,
  options: {},
  prepare: ({ admin, positionals }) =>
    prepare(admin, positionals, {
      whichOf: ({ heldAt }) => heldAt !== null,
      line: 'is released',
      apply: (tx, ids) => releasePayouts(tx, ids, admin.nowMs()),
    }),
});

const drop = defineChange({
  name: 'payouts drop',
  about: 'Gives up a batch of a lobby that was never signed, so that its payouts get into another.',
  notes: [
    'For a signer that is away or has a new key. The worker does the same by itself, about three minutes after the batch was',
    'described. Refused while the batch may have been signed and may still land.',
  ],
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) => {
    const lobby = await requireLobby(admin.db, name!);
    const batch = isPaid(lobby) ? await findOpenBatch(admin, lobby.id) : undefined;
    if (!isPaid(lobby) || !batch) return { lines: [], apply: async () => undefined };
    if (batch.signature !== null)
      throw new Refusal(`The batch ${batch.id} is signed: it lands, or the worker finds out that it cannot.`);
    return {
      lines: [`the unsigned batch ${batch.id} of "${lobby.name}" is given up, if it cannot land`],
      apply: async ({ note }) => {
        const context = await withChain(admin);
        const isDropped = await dropUnsigned(context, lobby, batch, {
          bookPayments: (lobbyId, reach) => reconcileLobby(context, lobbyId, reach),
          note: (tx) => note(tx, lobby.id, { batchId: batch.id, before: 'open', after: 'expired' }),
        });
        if (!isDropped)
          throw new Refusal('It may have been signed and may still land. Try again in three minutes.');
      },
    };
  },
});

type PayoutChange = {
  whichOf(payout: PayoutRow): boolean;
  readonly line: string;
  apply(tx: Database, ids: readonly string[]): Promise<readonly string[]>;
};

async function prepare(
  admin: AdminContext,
  ids: readonly string[],
  { whichOf, line, apply }: PayoutChange,
): Promise<Change> {
  const concerned = (await requirePayouts(admin.db, ids)).filter(whichOf);
  const lobbyOf = new Map((await listAllLobbies(admin.db)).map((lobby) => [lobby.id, lobby]));
  return {
    lines: concerned.map(({ id, wallet, amount, lobbyId }) => {
      const token = tokenOf(lobbyOf.get(lobbyId)!);
      return `payout ${id} of ${formatExactAmount(amount, token)} ${token.symbol} to ${wallet} ${line}`;
    }),
    apply: ({ note }) =>
      admin.db.transaction(async (tx) => {
        const wanted = concerned.map(({ id }) => id);
        const changed = await apply(tx, wanted);
        if (changed.length !== wanted.length) {
          throw new Refusal(
            'Some of these payouts were signed or changed in this moment. Nothing was changed.',
          );
        }
        await noteEach(tx, note, concerned);
      }),
  };
}

async function noteEach(tx: Database, note: Note, rows: readonly PayoutRow[]): Promise<void> {
  for (const { id, status, heldAt, holdReason, notBefore } of rows) {
    await note(tx, id, { before: { status, heldAt, holdReason, notBefore } });
  }
}

export const PAYOUT_COMMANDS: readonly Command[] = [
  listPayouts,
  showPayout,
  retry,
  enablePayout,
  hold,
  release,
  drop,
];
