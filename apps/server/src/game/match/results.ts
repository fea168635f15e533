import { formatAmount, formatUsd } from '@engulf/domain/money/amount';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { MILLI } from '@engulf/sim/rules';
import type { Logger } from 'pino';
import { rewardOf } from '../board/standings.ts';
import type { EntryOutcome, GameLobby, GamePorts, LivedLife, Settlement } from '../ports.ts';
import { type LiveFeed, report } from './live-feed.ts';
import type { Participant, Roster } from './roster.ts';

/** Settles the outcome of each participant's game, and tracks what is still being settled. */
export type Results = {
  readonly lobby: GameLobby;
  readonly ports: Pick<GamePorts, 'settleEntry'>;
  readonly feed: LiveFeed;
  readonly logger: Logger;
  readonly pending: Set<Promise<void>>;
};

const CAUSES = {
  cashout: 'portal',
  killed: 'eaten',
  forfeit: 'disconnected',
  closed: 'closed',
  fault: 'fault',
} as const satisfies { readonly [kind in EntryOutcome['kind']]: RoomServerPayload<'gameOver'>['cause'] };

/**
 * Settles a participant's entry and, once that is durable, tells the player and the others. Only the first result
 * counts. The settlement is queued in the lobby's order of money moves before this returns.
 */
export function settleResult(
  results: Results,
  participant: Participant,
  outcome: EntryOutcome,
  killer: string | null = null,
  life?: LivedLife,
): void {
  if (participant.state === 'over') return;
  participant.state = 'over';
  const settling = settleAndTell(results, participant, outcome, killer, life).finally(() => {
    results.pending.delete(settling);
  });
  results.pending.add(settling);
}

export async function allResultsSettled({ pending }: Results): Promise<void> {
  while (pending.size > 0) await Promise.allSettled(pending);
}

/** Returns the whole stake of a participant who has not spawned. */
export function refundStake(
  results: Results,
  participant: Participant,
  kind: 'forfeit' | 'closed' | 'fault',
): void {
  settleResult(results, participant, { kind, amount: participant.seat.stake, massMilli: 0 });
}

/** Refunds participants who took a seat but have not spawned in time, or before the match ended. */
export function refundUnspawned(
  results: Results,
  roster: Roster,
  { tick, isEnded }: { readonly tick: number; readonly isEnded: boolean },
): void {
  for (const participant of roster.byEntry.values()) {
    if (participant.state !== 'waiting') continue;
    if (isEnded) refundStake(results, participant, 'closed');
    else if (tick >= participant.spawnByTick) refundStake(results, participant, 'forfeit');
  }
}

async function settleAndTell(
  { lobby, ports, feed, logger }: Results,
  participant: Participant,
  outcome: EntryOutcome,
  killer: string | null,
  life: LivedLife | undefined,
): Promise<void> {
  const { seat } = participant;
  let settlement: Settlement;
  try {
    settlement = await ports.settleEntry(lobby.id, seat.entryId, outcome, life);
  } catch (error) {
    // The entry stays open in the database and is settled when the server starts again.
    const { kind } = outcome;
    logger.error({ code: 'ENTRY_NOT_SETTLED', err: error, entryId: seat.entryId, kind }, 'entry not settled');
    participant.connection?.kick(
      'Your result could not be saved yet. It will be settled as soon as possible.',
    );
    return;
  }
  const { amount } = settlement;
  const usdValue = settlement.usdValue === null ? null : formatUsd(settlement.usdValue);
  // Another process may have ended the entry first, because it took this one for dead. That result stands.
  const kind = settlement.isNew ? outcome.kind : settlement.kind;
  if (kind === 'cashout') {
    report(feed, {
      type: 'cashout',
      playerName: seat.name,
      amount: formatAmount(amount, lobby.token),
      usdValue,
    });
  }
  participant.gameOver = {
    stats: { reward: rewardOf(lobby, amount), finalMass: outcome.massMilli / MILLI, usdValue },
    cause: CAUSES[kind],
    killer: kind === 'killed' ? killer : null,
  };
  participant.connection?.send('gameOver', participant.gameOver);
}
