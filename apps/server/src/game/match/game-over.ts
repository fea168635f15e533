import { formatAmount } from '@engulf/domain/money/amount';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { MILLI } from '@engulf/sim/rules';
import { rewardOf, usdValueOf } from '../board/reward.ts';
import { forgetRank } from '../board/scoreboard.ts';
import type { EntryOutcome } from '../ports.ts';
import { type Match, report } from './match.ts';
import type { Participant } from './roster.ts';

const CAUSE_OF = {
  cashout: 'portal',
  killed: 'eaten',
  forfeit: 'disconnected',
  closed: 'closed',
  fault: 'fault',
} as const satisfies { readonly [kind in EntryOutcome['kind']]: RoomServerPayload<'gameOver'>['cause'] };

/** Settles an entry and, once that is durable, tells its player and the others. Only the first end counts. */
export async function endGame(match: Match, participant: Participant, outcome: EntryOutcome): Promise<void> {
  if (participant.state === 'over') return;
  participant.state = 'over';
  if (participant.player !== undefined) forgetRank(match, participant.player);
  const { lobby, money } = match;
  const { seat } = participant;
  const settlement = await money.settle(seat.entryId, outcome);
  if (!settlement) {
    participant.connection?.kick(
      'Your result could not be saved yet. It will be settled as soon as possible.',
    );
    return;
  }
  const { amount } = settlement;
  if (outcome.kind === 'cashout') {
    report(match, {
      type: 'cashout',
      timestamp: Date.now(),
      playerName: seat.name,
      amount: formatAmount(amount, lobby.token),
      usdValue: usdValueOf(lobby, amount),
    });
  }
  participant.gameOver = {
    stats: {
      reward: rewardOf(lobby, amount),
      finalMass: outcome.massMilli / MILLI,
      usdValue: usdValueOf(lobby, amount),
    },
    cause: CAUSE_OF[outcome.kind],
  };
  participant.connection?.send('gameOver', participant.gameOver);
}
