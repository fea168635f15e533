import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { type ChainFacts, isSeen, type SeenJoins, type Unseen } from './chain-facts.ts';
import { unseenTexts } from './check-money.ts';
import { countOf, type Finding } from './checks.ts';
import { isForMoney } from './match-money.ts';

/** The server's clock and the chain's may differ: minutes prove nothing. */
export const CLOCK_TOLERANCE_MS = 300_000;

/**
 * Whether all entries are there, the chain shows who paid for each entry, before the match was over, and its winnings go
 * back to that wallet. A payment is good for one entry.
 */
export function checkEntries(match: PublicMatch, chain: ChainFacts | undefined): Finding {
  const shown = new Set(match.entries.map(({ id }) => id)).size;
  if (shown !== match.entryCount) return { wrong: `${shown} of ${match.entryCount} entries are shown` };
  if (!isForMoney(match)) return { fits: 'nobody had to pay' };
  if (match.isFree) return { wrong: 'it is called free, but money was at stake' };
  if (match.chainLobbyId === null)
    return { wrong: 'it was played for money, but names no lobby on the chain' };
  const used = new Map<string, Set<number>>();
  const unseen: Unseen[] = [];
  const lastSlot = chain && firstSlotAfterEnd(match, chain);
  for (const entry of match.entries) {
    const { id, payment, payout } = entry;
    if (!payment) return { wrong: `nobody has paid for entry ${id}` };
    if (payout && payout.wallet !== payment.wallet) {
      return { wrong: `entry ${id} was paid by ${payment.wallet}, but ${payout.wallet} gets its payout` };
    }
    const joins = chain ? (chain.joins.get(payment.signature) ?? 'unread') : 'unread';
    if (!chain || !isSeen(joins)) {
      unseen.push(joins as Unseen);
      continue;
    }
    const seen = used.get(payment.signature) ?? new Set();
    used.set(payment.signature, seen);
    const index = joins.payments.findIndex(
      (join, i) =>
        !seen.has(i) &&
        join.lobbyConfig === chain.lobbyConfig &&
        (join.tokenMint ?? null) === match.tokenMint &&
        String(join.player) === payment.wallet &&
        join.stake.toString() === entry.stake,
    );
    if (index < 0) return { wrong: `the chain does not show that ${payment.wallet} paid for entry ${id}` };
    seen.add(index);
    if (isLate(match, chain, entry, joins, lastSlot)) {
      return { wrong: `entry ${id} was paid for after the match had ended` };
    }
  }
  return {
    fits: `${countOf(match.entries.length, 'entry was', 'entries were')} paid on the chain`,
    open: unseenTexts(unseen, 'payment'),
  };
}

/** The first payout that names the whole recording was made when the match was over. */
function firstSlotAfterEnd(match: PublicMatch, { claims }: ChainFacts): bigint | undefined {
  const proof = [match.commitment, match.finalHash ?? ''].map(toBase64url).join(':');
  let first: bigint | undefined;
  for (const claim of claims.values()) {
    if (!isSeen(claim) || !claim.memo.split(' ').includes(proof)) continue;
    if (first === undefined || claim.slot < first) first = claim.slot;
  }
  return first;
}

function isLate(
  { endedAt }: PublicMatch,
  { claims }: ChainFacts,
  { payout }: MatchEntry,
  { slot, timeMs }: SeenJoins,
  lastSlot: bigint | undefined,
): boolean {
  if (lastSlot !== undefined && slot >= lastSlot) return true;
  const paidOut = payout?.signature ? claims.get(payout.signature) : undefined;
  if (isSeen(paidOut) && slot >= paidOut.slot) return true;
  if (timeMs === undefined || endedAt === null) return false;
  return timeMs > Date.parse(endedAt) + CLOCK_TOLERANCE_MS;
}

function toBase64url(hex: string): string {
  const text = (hex.match(/../g) ?? [])
    .map((pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    .join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
