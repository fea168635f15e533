import { createHash } from 'node:crypto';
import { raffleBlockMs, raffleDrawMs } from '@engulf/domain/social/raffle';
import type { raffleDays } from '../platform/database/social.ts';

/** The rule in words, for those who want to check a draw. */
export function raffleRule(day: string, blockFromMs: number): string {
  return (
    'seed = sha256(blockhash + "\\n" + each wallet in ascending order + "\\n"), in hex. ' +
    'The wallets with the lowest sha256(seed + ":" + wallet), in hex, win. ' +
    `The list closes at ${new Date(raffleDrawMs(day)).toISOString()}. ` +
    `The block is the first finalized one whose time is ${new Date(blockFromMs).toISOString()} or later.`
  );
}

/** From when on a block decides the raffle of a day: one that was closed is decided by the rule of that time. */
export function blockFromOf({ day, closedAt, blockFrom }: RaffleDay): number {
  if (closedAt === null) return raffleBlockMs(day);
  return blockFrom?.getTime() ?? raffleDrawMs(day);
}

type RaffleDay = Pick<typeof raffleDays.$inferSelect, 'day' | 'closedAt' | 'blockFrom'>;

/** Who wins. Nothing but the blockhash and the list decides. */
export function drawWinners<Wallet extends string>(
  blockhash: string,
  wallets: readonly Wallet[],
  winners: number,
): readonly Wallet[] {
  const sorted = wallets.toSorted(byCharacterCodes);
  const seed = sha256Hex(`${blockhash}\n${sorted.map((wallet) => `${wallet}\n`).join('')}`);
  const scored = sorted.map((wallet) => ({ wallet, score: sha256Hex(`${seed}:${wallet}`) }));
  scored.sort((a, b) => byCharacterCodes(a.score, b.score));
  return scored.slice(0, winners).map(({ wallet }) => wallet);
}

function byCharacterCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
