import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { ChainFacts } from './chain-facts.ts';

type EntriesCheck = { readonly wrong: string } | { readonly fits: string; readonly open?: readonly string[] };

/**
 * Whether all entries are there, the chain shows who paid for each entry, and its winnings go back to that wallet. A
 * payment is good for one entry.
 */
export function checkEntries(match: PublicMatch, chain: ChainFacts | undefined): EntriesCheck {
  const shown = new Set(match.entries.map(({ id }) => id)).size;
  if (shown !== match.entryCount) return { wrong: `${shown} of ${match.entryCount} entries are shown` };
  if (match.isFree) return { fits: 'nobody had to pay' };
  const used = new Map<string, Set<number>>();
  let unseen = 0;
  for (const { id, stake, payment, payout } of match.entries) {
    if (!payment) return { wrong: `nobody has paid for entry ${id}` };
    if (payout && payout.wallet !== payment.wallet) {
      return { wrong: `entry ${id} was paid by ${payment.wallet}, but ${payout.wallet} gets its payout` };
    }
    const joins = chain?.joins.get(payment.signature);
    if (!chain || !joins) {
      unseen++;
      continue;
    }
    const seen = used.get(payment.signature) ?? new Set();
    used.set(payment.signature, seen);
    const index = joins.findIndex(
      (join, i) =>
        !seen.has(i) &&
        join.lobbyConfig === chain.lobbyConfig &&
        String(join.player) === payment.wallet &&
        join.stake.toString() === stake,
    );
    if (index < 0) return { wrong: `the chain does not show that ${payment.wallet} paid for entry ${id}` };
    seen.add(index);
  }
  const fits = `${match.entries.length} entries were paid on the chain`;
  return unseen === 0 ? { fits } : { fits, open: [`the payments of ${unseen} entries could not be read`] };
}
