import type { EntryId, LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNotNull, notInArray } from 'drizzle-orm';
import { forgetOldMessages } from '../chat/messages.ts';
import { forgetMinutes, noteMinute } from '../console/minutes.ts';
import { forgetAddresses } from '../entries/entry-states.ts';
import {
  closeRefundedEntry,
  expireEntry,
  refundedEntries,
  timedOutEntries,
} from '../entries/expire-entries.ts';
import { orphanedEntries, recoverEntry } from '../entries/recover-entries.ts';
import { lockLobby } from '../entries/seats.ts';
import { decideGathering } from '../gathering/decide-gathering.ts';
import { gatheringLobbies } from '../gathering/gatherers.ts';
import { findCases, forgetEvidence, newestReading } from '../integrity/cases.ts';
import { readMatch, unreadMatches } from '../integrity/read-match.ts';
import { closeOldReports } from '../integrity/reports.ts';
import { checkAnchorFunds } from '../matches/anchor-funds.ts';
import { openAnchors, sendAnchor } from '../matches/anchors.ts';
import { orphanedMatches, recoverMatch } from '../matches/recover-matches.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { addLedgerPartition } from '../money/ledger/partitions.ts';
import { lobbiesThatOwe, type PayoutDeps, payLobby } from '../money/payouts/pay-lobby.ts';
import { openSigner } from '../money/signer/open-signer.ts';
import { readSignerFunds, type SignerFunds } from '../money/signer-funds.ts';
import { checkSolvency } from '../money/solvency.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { verifyPayment } from '../payments/verify-payment.ts';
import type { Activity } from '../platform/activity.ts';
import { sendThroughNodes } from '../platform/chain/send-through-nodes.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, payments, WAITING_STATES } from '../platform/database/games.ts';
import { type Scheduler, startScheduler, type Task } from '../platform/scheduler.ts';
import { drawRaffle, undrawnRaffles } from '../social/draw-raffle.ts';
import type { Social } from '../social/task-providers.ts';
import { queuedTasks, verifyTask } from '../social/tasks.ts';
import { readTelegram } from '../social/telegram.ts';
import { publishReading } from '../solvency/take-reading.ts';
import { periodsToTrim, trimPeriod } from '../stats/rollups.ts';

const DAY_MS = 86_400_000;

export type Worker = Scheduler & {
  /** Undefined until it is read for the first time. */
  readonly signerFunds: SignerFunds | undefined;
};

/**
 * The role that moves money. It finds its work in the tables, so a start after a crash is like any other. `activity` tells
 * when no new work can arise; leave it out if other processes can create work.
 */
export function startWorker(
  context: Context,
  {
    payouts,
    raffleWinnersPerDay,
    falseDiscoveryRate,
    keepDays,
    ledgerPartition,
  }: Pick<Config, 'payouts' | 'raffleWinnersPerDay' | 'falseDiscoveryRate' | 'keepDays' | 'ledgerPartition'>,
  social: Social,
  { activity, metrics }: { readonly activity?: Activity | undefined; readonly metrics?: Metrics } = {},
): Worker {
  const { lowFundsClaims: lowClaims, maxPriorityFeeLamports } = payouts;
  let signerFunds: SignerFunds | undefined;
  const payoutDeps: PayoutDeps = {
    signer: openSigner(context, payouts),
    maxPriorityFeeLamports,
    send: (wire) => sendThroughNodes(context, wire),
    bookPayments: (lobbyId, reach) => reconcileLobby(context, lobbyId, reach),
    onDecided: (fate) => metrics?.batchDecided(fate),
  };
  const searchUnproven = (lobbyId: LobbyId) => reconcileLobby(context, lobbyId, 'unproven');
  const surpluses = new Set<LobbyId>();
  const ago = (days: number) => new Date(context.nowMs() - days * DAY_MS);
  let lookedAtReading = 0;
  const tasks: Task[] = [
    {
      name: 'expire-entry',
      everyMs: 1_000,
      due: () => timedOutEntries(context),
      run: (entryId) => expireEntry(context, entryId as EntryId),
    },
    {
      name: 'close-refunded-entry',
      everyMs: 1_000,
      due: () => refundedEntries(context),
      run: (entryId) => closeRefundedEntry(context, entryId as EntryId),
    },
    {
      name: 'decide-gathering',
      everyMs: 1_000,
      due: () => gatheringLobbies(context.db),
      run: (lobbyId) => decideGathering(context, lobbyId as LobbyId, lockLobby),
    },
    {
      name: 'recover-entry',
      everyMs: 1_000,
      due: () => orphanedEntries(context),
      run: (entryId) => recoverEntry(context, entryId as EntryId),
    },
    {
      name: 'recover-match',
      everyMs: 2_000,
      due: () => orphanedMatches(context),
      run: (matchId) => recoverMatch(context, matchId as MatchId),
    },
    {
      name: 'send-anchor',
      everyMs: 2_000,
      due: () => openAnchors(context),
      run: (key) => sendAnchor(context, key),
    },
    {
      name: 'check-anchor-funds',
      everyMs: 600_000,
      due: async () => ((await paidLobbies(context)).length > 0 ? ['anchor key'] : []),
      run: () => checkAnchorFunds(context),
    },
    {
      name: 'verify-payment',
      everyMs: 1_000,
      due: () => undecidedPayments(context),
      run: (paymentId) => verifyPayment(context, paymentId),
    },
    {
      name: 'reconcile-awaited-lobby',
      everyMs: 5_000,
      due: () => awaitedLobbies(context),
      run: (lobbyId) => reconcileLobby(context, lobbyId as LobbyId),
    },
    {
      name: 'reconcile-lobby',
      everyMs: 60_000,
      due: () => paidLobbies(context),
      run: async (lobbyId) => {
        await reconcileLobby(context, lobbyId as LobbyId);
        await checkSolvency(context, lobbyId as LobbyId, { searchUnproven, surpluses });
      },
    },
    {
      name: 'publish-solvency',
      everyMs: 15_000,
      due: () => paidLobbies(context),
      run: (lobbyId) => publishReading(context, lobbyId as LobbyId),
    },
    {
      name: 'search-unproven-lobby',
      everyMs: 3_600_000,
      due: () => paidLobbies(context),
      run: (lobbyId) => searchUnproven(lobbyId as LobbyId),
    },
    {
      name: 'verify-task',
      everyMs: 1_000,
      due: () => queuedTasks(context),
      run: (key) => verifyTask(context, social, key),
    },
    {
      name: 'draw-raffle',
      everyMs: 5_000,
      due: () => undrawnRaffles(context),
      run: (day) => drawRaffle(context, day, { winnersPerDay: raffleWinnersPerDay }),
    },
    {
      name: 'pay-lobby',
      everyMs: 1_000,
      due: () => lobbiesThatOwe(context),
      run: (lobbyId) => payLobby(context, lobbyId as LobbyId, payoutDeps),
    },
    {
      name: 'trim-leaderboard',
      everyMs: 2_000,
      due: async () => (await periodsToTrim(context)).map(String),
      run: (days) => trimPeriod(context, Number(days)),
    },
    {
      name: 'read-signer-funds',
      everyMs: 600_000,
      due: async () => ['super admin'],
      run: async () => {
        signerFunds = await readSignerFunds(context, { lowClaims, maxPriorityFeeLamports });
      },
    },
    {
      name: 'read-recording',
      everyMs: 5_000,
      due: () => unreadMatches(context),
      run: (matchId) => readMatch(context, matchId as MatchId),
    },
    {
      name: 'find-cases',
      everyMs: 10_000,
      // When all is read: everybody is looked at anew each time.
      due: async () => {
        if ((await newestReading(context)) <= lookedAtReading) return [];
        return (await unreadMatches(context)).length === 0 ? ['cases'] : [];
      },
      run: async () => {
        const newest = await newestReading(context);
        await findCases(context, falseDiscoveryRate);
        lookedAtReading = newest;
      },
    },
    {
      name: 'forget-evidence',
      everyMs: 3_600_000,
      due: async () => ['evidence'],
      run: async () => {
        await forgetEvidence(context, ago(keepDays.evidence));
        await closeOldReports(context);
        await forgetAddresses(context.db, ago(keepDays.addresses));
      },
    },
    {
      name: 'note-minute',
      everyMs: 60_000,
      due: async () => ['minute'],
      run: () => noteMinute(context),
    },
    {
      name: 'forget-chat',
      everyMs: 3_600_000,
      due: async () => ['chat'],
      run: () => forgetOldMessages(context.db, ago(keepDays.chat)),
    },
    {
      name: 'forget-minutes',
      everyMs: 3_600_000,
      due: async () => ['minutes'],
      run: () => forgetMinutes(context, ago(keepDays.charts)),
    },
    {
      name: 'add-ledger-partition',
      everyMs: 3_600_000,
      due: async () => ['ledger'],
      run: () => addLedgerPartition(context, ledgerPartition),
    },
  ];
  const { telegram } = social;
  if (telegram) {
    const run = () => readTelegram(context, telegram);
    tasks.push({ name: 'read-telegram', everyMs: 2_000, due: async () => ['inbox'], run });
  }
  const { stop } = startScheduler(tasks, context.logger, { activity, meter: metrics?.work });
  return {
    stop,
    get signerFunds() {
      return signerFunds;
    },
  };
}

async function undecidedPayments({ db }: Pick<Context, 'db'>): Promise<string[]> {
  const rows = await db.select({ id: payments.id }).from(payments).where(eq(payments.status, 'verifying'));
  return rows.map(({ id }) => id);
}

/** Lobbies where somebody may be paying now. Elsewhere a payment can wait longer for its refund. */
async function awaitedLobbies({ db }: Pick<Context, 'db'>): Promise<LobbyId[]> {
  const rows = await db
    .selectDistinct({ lobbyId: entries.lobbyId })
    .from(entries)
    .where(inArray(entries.state, WAITING_STATES));
  return rows.map(({ lobbyId }) => lobbyId);
}

async function paidLobbies({ db }: Pick<Context, 'db'>): Promise<LobbyId[]> {
  const isOnChain = and(isNotNull(lobbies.chainLobbyId), notInArray(lobbies.stage, ['creating', 'removed']));
  const rows = await db.select({ id: lobbies.id }).from(lobbies).where(isOnChain);
  return rows.map(({ id }) => id);
}
