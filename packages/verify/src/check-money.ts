import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { type ChainFacts, isSeen, type SeenClaim, type Unseen } from './chain-facts.ts';
import { checkCut } from './check-cut.ts';
import { countOf, type Finding } from './checks.ts';
import { isForMoney } from './match-money.ts';
import { readProofs } from './payout-proofs.ts';
import type { ReplayedMatch } from './replay-match.ts';

/** The first thing that does not fit; undefined if all does. */
type Complaint = string | undefined;

/** Whether every entry got what the replay gives it, and the rest was left to the next match. The match has ended. */
export function checkSettlement(match: PublicMatch, replayed: ReplayedMatch): Finding {
  const settled = new Set(match.entries.map(({ id }) => id));
  for (const id of replayed.entries.keys()) {
    if (!settled.has(id)) return { wrong: `entry ${id} has played, but is not among those settled` };
  }
  for (const entry of match.entries) {
    const complaint = checkEntry(match, replayed, entry);
    if (complaint) return { wrong: complaint };
  }
  const fits = `${countOf(match.entries.length, 'entry was', 'entries were')} settled as played`;
  if (!isForMoney(match)) return { fits };
  if (match.isCut) return checkCut(match, replayed);
  const spill = replayed.spill.toString();
  return match.spillAfter === spill
    ? { fits }
    : { wrong: `the match leaves ${spill} to the next one, but ${match.spillAfter} is claimed` };
}

export function checkEntry(match: PublicMatch, replayed: ReplayedMatch, entry: MatchEntry): Complaint {
  const { id, stake, outcome, amount } = entry;
  if (outcome === null || amount === null) return `entry ${id} is not settled`;
  if (isForMoney(match) && BigInt(amount) > 0n && entry.payout?.amount !== amount) {
    return `entry ${id} is owed ${amount}, but ${entry.payout?.amount ?? 'nothing'} is to be paid`;
  }
  const played = replayed.entries.get(id);
  if (played && played.stake.toString() !== stake) {
    return `entry ${id} plays with ${played.stake}, but ${stake} is claimed`;
  }
  const expected = played ? played.outcome : { kind: 'refund' as const, amount: BigInt(stake) };
  // What happened after a cut is not in the recording: see check-cut.ts.
  if (!expected || (!played && match.isCut)) return match.isCut ? undefined : `entry ${id} is still alive`;
  const isRightKind =
    expected.kind === 'refund' ? ['forfeit', 'closed', 'fault'].includes(outcome) : outcome === expected.kind;
  if (isRightKind && amount === expected.amount.toString()) return undefined;
  return `entry ${id} ends as ${expected.kind} with ${expected.amount}, but was settled as ${outcome} with ${amount}`;
}

/** Whether the pool of this lobby paid what was settled, with the commitment of this match written beside it. */
export function checkPayments(match: PublicMatch, chain: ChainFacts | undefined): Finding {
  if (!isForMoney(match)) return { fits: 'no money was at stake' };
  let paid = 0;
  let waiting = 0;
  const unseen: Unseen[] = [];
  const used = new Map<string, Set<number>>();
  for (const { id, amount, payout } of match.entries) {
    if (!payout || amount === '0') continue;
    if (payout.signature === null) {
      waiting++;
      continue;
    }
    paid++;
    if (!chain) continue;
    const claim = chain.claims.get(payout.signature) ?? 'unread';
    if (!isSeen(claim)) {
      // A node that no longer has the block may have forgotten what was paid after it as well.
      if (claim === 'missing' && chain.block)
        return { wrong: `the chain did not pay ${payout.amount} for entry ${id}` };
      unseen.push(claim);
      continue;
    }
    const seen = used.get(payout.signature) ?? new Set();
    used.set(payout.signature, seen);
    const index = findPayment(match, chain, claim, payout, seen);
    if (typeof index === 'string') return { wrong: `${index} for entry ${id}` };
    seen.add(index);
    const complaint = checkMemo(match, claim.memo, payout.signature);
    if (complaint) return { wrong: complaint };
  }
  const open = unseenTexts(unseen, 'payout');
  if (waiting > 0) open.unshift(`${countOf(waiting, 'payout is', 'payouts are')} not on the chain yet`);
  if (paid > 0 && !chain) open.push(`no node could be asked for ${countOf(paid, 'payout')}`);
  return { fits: `${countOf(paid, 'payout is', 'payouts are')} on the chain as settled`, open };
}

/** Which payment of a claim it is. Otherwise what is wrong. */
function findPayment(
  match: PublicMatch,
  chain: ChainFacts,
  { payments }: SeenClaim,
  payout: NonNullable<MatchEntry['payout']>,
  seen: ReadonlySet<number>,
): number | string {
  const fitting = [...payments.keys()].filter((i) => {
    const { player, amount } = payments[i]!;
    return !seen.has(i) && String(player) === payout.wallet && amount.toString() === payout.amount;
  });
  if (fitting.length === 0) return `the chain did not pay ${payout.amount}`;
  const own = fitting.filter((i) => String(payments[i]!.lobbyConfig) === chain.lobbyConfig);
  if (own.length === 0) return `${payout.amount} came out of the pool of another lobby`;
  const index = own.find((i) => (payments[i]!.tokenMint ?? null) === match.tokenMint);
  return index ?? `${payout.amount} was paid in another token`;
}

/** What cannot be decided because transactions could not be read. */
export function unseenTexts(unseen: readonly Unseen[], what: 'payment' | 'payout'): string[] {
  const countIn = (why: Unseen) => unseen.filter((one) => one === why).length;
  const texts: string[] = [];
  const [missing, unread, madeUp] = [countIn('missing'), countIn('unread'), countIn('madeUp')];
  if (missing > 0)
    texts.push(`the node does not have ${countOf(missing, what)}: ask one that keeps all history`);
  if (unread > 0)
    texts.push(`the node did not answer for ${countOf(unread, what)}: try again, or ask another one`);
  if (madeUp > 0)
    texts.push(`the node shows ${countOf(madeUp, what)} that nobody has signed: do not believe it`);
  return texts;
}

function checkMemo(match: PublicMatch, memo: string, signature: string): Complaint {
  const isOurs = readProofs(memo).some(({ commitment }) => commitment === match.commitment);
  if (!isOurs) return `payout ${signature} does not carry the commitment`;
  return undefined;
}
