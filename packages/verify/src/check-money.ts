import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import type { ChainFacts } from './chain-facts.ts';
import type { ReplayedMatch } from './replay-match.ts';

/** The first thing that does not fit; undefined if all does. */
type Complaint = string | undefined;

/** Whether every entry got what the replay gives it, and the rest was left to the next match. */
export function checkSettlement(match: PublicMatch, replayed: ReplayedMatch): Complaint {
  const settled = new Map(match.entries.map((entry) => [entry.id, entry]));
  for (const id of replayed.entries.keys()) {
    if (!settled.has(id)) return `entry ${id} has played, but is not among those settled`;
  }
  for (const entry of match.entries) {
    const complaint = checkEntry(match, replayed, entry);
    if (complaint) return complaint;
  }
  if (match.isFree) return undefined;
  if (match.isCut) return checkSum(match, replayed);
  const spill = replayed.spill.toString();
  return match.spillAfter === spill
    ? undefined
    : `the match leaves ${spill} to the next one, but ${match.spillAfter} is claimed`;
}

function checkEntry(match: PublicMatch, replayed: ReplayedMatch, entry: MatchEntry): Complaint {
  const { id, stake, outcome, amount } = entry;
  if (outcome === null || amount === null) return `entry ${id} is not settled`;
  if (!match.isFree && BigInt(amount) > 0n && entry.payout?.amount !== amount) {
    return `entry ${id} is owed ${amount}, but ${entry.payout?.amount ?? 'nothing'} is to be paid`;
  }
  const played = replayed.entries.get(id);
  if (played && played.stake.toString() !== stake) {
    return `entry ${id} plays with ${played.stake}, but ${stake} is claimed`;
  }
  const expected = played ? played.outcome : { kind: 'refund' as const, amount: BigInt(stake) };
  // What happened after a cut is not in the recording; the sum is checked instead.
  if (!expected || (!played && match.isCut)) return match.isCut ? undefined : `entry ${id} is still alive`;
  const isRightKind =
    expected.kind === 'refund' ? ['forfeit', 'closed', 'fault'].includes(outcome) : outcome === expected.kind;
  if (isRightKind && amount === expected.amount.toString()) return undefined;
  return `entry ${id} ends as ${expected.kind} with ${expected.amount}, but was settled as ${outcome} with ${amount}`;
}

/** Seconds may be missing from a cut recording. Whatever happened in them, no unit was made or lost. */
function checkSum({ entries, spillAfter }: PublicMatch, replayed: ReplayedMatch): Complaint {
  let carried = replayed.spill;
  let granted = BigInt(spillAfter ?? 0);
  for (const { id, stake, amount } of entries) {
    const played = replayed.entries.get(id);
    if (played?.outcome) continue;
    carried += played ? played.bounty : BigInt(stake);
    granted += BigInt(amount ?? 0);
  }
  return carried === granted
    ? undefined
    : `the living carried ${carried} where the recording was cut, but were given ${granted}`;
}

type PaymentCheck = { readonly wrong: string } | { readonly fits: string; readonly open?: readonly string[] };

/** Whether the chain paid what was settled, with the commitment of this match written beside it. */
export function checkPayments(match: PublicMatch, chain: ChainFacts | undefined): PaymentCheck {
  if (match.isFree) return { fits: 'no money was at stake' };
  let paid = 0;
  let waiting = 0;
  let unseen = 0;
  const used = new Map<string, Set<number>>();
  for (const { id, amount, payout } of match.entries) {
    if (!payout || amount === '0') continue;
    if (payout.signature === null) {
      waiting++;
      continue;
    }
    paid++;
    if (!chain) continue;
    const claim = chain.claims.get(payout.signature);
    // A node that no longer has the block may have forgotten what was paid after it as well.
    if (!claim && !chain.block) {
      unseen++;
      continue;
    }
    const seen = used.get(payout.signature) ?? new Set();
    used.set(payout.signature, seen);
    const index = claim?.payments.findIndex(
      (payment, i) =>
        !seen.has(i) &&
        String(payment.player) === payout.wallet &&
        payment.amount.toString() === payout.amount,
    );
    if (!claim || index === undefined || index < 0) {
      return { wrong: `the chain did not pay ${payout.amount} for entry ${id}` };
    }
    seen.add(index);
    const complaint = checkMemo(match, claim.memo, payout.signature);
    if (complaint) return { wrong: complaint };
  }
  const open: string[] = [];
  if (waiting > 0) open.push(`${waiting} payouts are not on the chain yet`);
  if (unseen > 0) open.push(`${unseen} payouts could not be read`);
  if (paid > 0 && !chain) open.push(`no node could be asked for ${paid} payouts`);
  return { fits: `${paid} ${paid === 1 ? 'payout is' : 'payouts are'} on the chain as settled`, open };
}

/** The memo: the id of the batch, unless the claim was made in order, then `commitment` or `commitment:finalHash` for each match that is paid. */
function checkMemo(match: PublicMatch, memo: string, signature: string): Complaint {
  const proofs = memo.split(' ').map((proof) => proof.split(':').map(toHex));
  const ours = proofs.find(([commitment]) => commitment === match.commitment);
  if (!ours) return `payout ${signature} does not carry the commitment`;
  const [, finalHash] = ours;
  return finalHash === undefined || finalHash === match.finalHash
    ? undefined
    : `payout ${signature} carries another hash of the recording`;
}

function toHex(base64url: string): string {
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    return Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}
