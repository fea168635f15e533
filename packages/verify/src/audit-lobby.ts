import { formatExactAmount } from '@engulf/domain/money/amount';
import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { countOf } from './checks.ts';
import type { LobbyChain, LobbyTransaction } from './lobby-chain.ts';
import { readReturned } from './payout-proofs.ts';

/** A match of the lobby, with what its recording says it began with; undefined if that could not be read. */
export type AuditedMatch = { readonly match: PublicMatch; readonly spillBefore: bigint | undefined };

export type LobbyAudit = {
  /** Everything that is wrong. For people. */
  readonly wrong: readonly string[];
  readonly open: readonly string[];
  readonly figures: {
    readonly matches: number;
    readonly joins: number;
    readonly paidIn: bigint;
    readonly payouts: number;
    readonly paidOut: bigint;
    readonly gifts: bigint;
    readonly pool: bigint | undefined;
  };
};

/** About an hour. A payment may wait that long for its seat or its refund. */
const PATIENCE_SLOTS = 9_000n;

/**
 * Checks a lobby over all its matches: each begins with what the one before left, every payment is in one match or was
 * returned, every unit that left the pool went to an entry or back to a payer, and nothing counts twice.
 */
export function auditLobby(matches: readonly AuditedMatch[], chain: LobbyChain): LobbyAudit {
  const inOrder = matches.toSorted(
    (a, b) => Date.parse(a.match.committedAt) - Date.parse(b.match.committedAt),
  );
  const entries = inOrder.flatMap(({ match }) => match.entries.map((entry) => ({ match, entry })));
  const text = (amount: bigint) => `${formatExactAmount(amount, chain.token)} ${chain.token.symbol}`;
  const sums = sumUp(chain);
  const isComplete = chain.unread === 0 && chain.pool === sums.changes;
  const wrong = [
    ...checkSpill(inOrder, text),
    ...checkCommitments(inOrder),
    ...sums.thefts.map((theft) => theft(text)),
  ];
  const open: string[] = [];
  const missing: string[] = [];

  const joins = stock(chain.transactions, ({ joins }) => joins.map(({ player, stake }) => [player, stake]));
  for (const { match, entry } of entries) {
    if (!entry.payment) continue;
    const { signature, wallet } = entry.payment;
    take(joins, keyOf(signature, wallet, entry.stake), `the payment ${signature}`, nameOf(match, entry), {
      wrong,
      missing,
    });
  }
  const claims = stock(chain.transactions, ({ claims }) =>
    claims.map(({ player, amount }) => [player, amount]),
  );
  const waiting: MatchEntry[] = [];
  for (const { match, entry } of entries) {
    if (!entry.payout || entry.amount === '0') continue;
    const { signature, wallet, amount } = entry.payout;
    if (signature === null) waiting.push(entry);
    else
      take(claims, keyOf(signature, wallet, amount), `the payout ${signature}`, nameOf(match, entry), {
        wrong,
        missing,
      });
  }

  const running = inOrder.map(({ match }) => match).filter(({ state }) => state !== 'ended');
  const unused = leftOver(joins);
  /** Only the server says that their matches run. */
  const early: Item[] = [];
  for (const claim of leftOver(claims)) {
    const returned = findReturned(unused, claim);
    if (returned >= 0) {
      unused.splice(returned, 1);
      continue;
    }
    const isWaited = waiting.findIndex(
      ({ payout }) => payout?.wallet === claim.wallet && payout.amount === `${claim.amount}`,
    );
    if (isWaited >= 0) waiting.splice(isWaited, 1);
    else if (running.some(({ commitment }) => claim.memo.includes(toBase64url(commitment))))
      early.push(claim);
    else missing.push(`${text(claim.amount)} left the pool in ${claim.signature}, and nothing explains it`);
  }
  const newestSlot = chain.newestSlot;
  const since = running.flatMap(({ block }) => (block ? [BigInt(block.slot)] : []));
  const patientFrom =
    [newestSlot, ...since].reduce((low, slot) => (slot < low ? slot : low)) - PATIENCE_SLOTS;
  for (const { signature, wallet, amount, slot } of unused) {
    if (slot >= patientFrom) continue;
    missing.push(`${wallet} paid ${text(amount)} in ${signature}, which is in no match and was not returned`);
  }
  const recent = unused.filter(({ slot }) => slot >= patientFrom);
  const together = (items: readonly Item[]) => text(items.reduce((sum, { amount }) => sum + amount, 0n));
  if (recent.length > 0)
    open.push(
      `${countOf(recent.length, 'payment')} of ${together(recent)} in a match that still runs, or on the way back`,
    );
  if (early.length > 0)
    open.push(
      `${countOf(early.length, 'payout')} of ${together(early)} of a match that is said to run, for games that are not public yet`,
    );
  if (waiting.length > 0)
    open.push(`${countOf(waiting.length, 'payout is', 'payouts are')} not on the chain yet`);
  if (isComplete) wrong.push(...missing);
  else {
    const why =
      chain.unread > 0
        ? `${countOf(chain.unread, 'transaction')} could not be read`
        : 'the list of transactions has gaps';
    open.push(`${why}: continue, or ask a node that keeps all history`);
  }
  const { paidIn, paidOut, gifts } = sums;
  const figures = {
    matches: inOrder.length,
    joins: sums.joins,
    paidIn,
    payouts: sums.payouts,
    paidOut,
    gifts,
    pool: chain.pool,
  };
  return { wrong, open, figures };
}

type Texts = { readonly wrong: string[]; readonly missing: string[] };
type ToText = (amount: bigint) => string;

function checkSpill(matches: readonly AuditedMatch[], text: ToText): string[] {
  const wrong: string[] = [];
  let left = 0n;
  for (const { match, spillBefore } of matches) {
    if (spillBefore !== undefined && spillBefore !== left) {
      wrong.push(
        `match ${match.id} begins with ${text(spillBefore)} of spill, but ${text(left)} was left for it`,
      );
    }
    if (match.spillAfter !== null && match.state === 'ended') left = BigInt(match.spillAfter);
  }
  return wrong;
}

function checkCommitments(matches: readonly AuditedMatch[]): string[] {
  const first = new Map<string, string>();
  return matches.flatMap(({ match: { id, commitment } }) => {
    const other = first.get(commitment);
    first.set(commitment, other ?? id);
    return other === undefined ? [] : [`matches ${other} and ${id} have the same commitment`];
  });
}

/** What came in and went out, and who took more than the program's claims allow. */
function sumUp({ transactions }: LobbyChain) {
  const sums = { joins: 0, payouts: 0, paidIn: 0n, paidOut: 0n, gifts: 0n, changes: 0n };
  const thefts: ((text: ToText) => string)[] = [];
  for (const { signature, joins, claims, change } of transactions) {
    const stakes = joins.reduce((sum, { stake }) => sum + stake, 0n);
    const paid = claims.reduce((sum, { amount }) => sum + amount, 0n);
    sums.joins += joins.length;
    sums.payouts += claims.length;
    sums.paidIn += stakes;
    sums.paidOut += paid;
    sums.changes += change;
    const gift = change - stakes + paid;
    sums.gifts += gift;
    // Gifts are swept when a lobby is removed.
    if (sums.gifts < 0n)
      thefts.push((text) => `${signature} took ${text(-gift)} from the pool without a claim`);
  }
  return { ...sums, thefts };
}

type Item = {
  readonly signature: string;
  readonly slot: bigint;
  readonly memo: string;
  readonly wallet: string;
  readonly amount: bigint;
  usedBy: string | undefined;
};

const keyOf = (signature: string, wallet: string, amount: string) => `${signature} ${wallet} ${amount}`;

function stock(
  transactions: readonly LobbyTransaction[],
  list: (transaction: LobbyTransaction) => [wallet: string, amount: bigint][],
): Map<string, Item[]> {
  const items = new Map<string, Item[]>();
  for (const transaction of transactions) {
    const { signature, slot, memo } = transaction;
    for (const [wallet, amount] of list(transaction)) {
      const key = keyOf(signature, wallet, `${amount}`);
      items.set(key, [
        ...(items.get(key) ?? []),
        { signature, slot, memo, wallet, amount, usedBy: undefined },
      ]);
    }
  }
  return items;
}

function take(
  items: Map<string, Item[]>,
  key: string,
  what: string,
  user: string,
  { wrong, missing }: Texts,
): void {
  const found = items.get(key);
  const free = found?.find(({ usedBy }) => usedBy === undefined);
  if (free) free.usedBy = user;
  else if (found) wrong.push(`${what} counts twice: for ${found[0]!.usedBy} and for ${user}`);
  else missing.push(`${what} of ${user} is not one of this lobby's pool`);
}

const nameOf = ({ id }: PublicMatch, entry: MatchEntry) => `entry ${entry.id} of match ${id}`;

const leftOver = (items: Map<string, Item[]>) =>
  [...items.values()].flat().filter(({ usedBy }) => usedBy === undefined);

/** The payment that a claim returns: the one that its memo names, or an earlier one of the same wallet and amount. */
function findReturned(unused: readonly Item[], claim: Item): number {
  const named = readReturned(claim.memo);
  const fits = ({ wallet, amount, slot }: Item) =>
    wallet === claim.wallet && amount === claim.amount && slot <= claim.slot;
  const byName = unused.findIndex(
    (join) => fits(join) && named.some((name) => join.signature.startsWith(name)),
  );
  return byName >= 0 ? byName : unused.findIndex(fits);
}

/** As in memos. */
function toBase64url(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
