import type { PublicMatch } from '@engulf/protocol/http/matches';
import { describe, expect, test } from 'vitest';
import { type AuditedMatch, auditLobby } from './audit-lobby.ts';
import type { LobbyChain, LobbyTransaction } from './lobby-chain.ts';
import { evidence } from './testing/live-match.ts';

/* What only a look at all matches of a lobby finds, with the numbers of the table in docs/fairness.md. */

const compact = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** Two matches with one entry each: the first is killed and leaves 10 to the second, whose player cashes out 19. */
function lobby() {
  const matchOf = (number: number, change: Partial<PublicMatch>): PublicMatch => ({
    ...evidence.match,
    id: `match-${number}`,
    commitment: `${number}`.repeat(64),
    committedAt: new Date(number).toISOString(),
    entryCount: 1,
    ...change,
  });
  const entry = evidence.match.entries[0]!;
  const entryOf = (number: number, change: object) =>
    ({
      ...entry,
      id: `entry-${number}`,
      stake: '10',
      payment: { wallet: `wallet-${number}`, signature: `join-${number}` },
      payout: null,
      amount: '0',
      ...change,
    }) as PublicMatch['entries'][number];
  const payout = { wallet: 'wallet-2', amount: '19', status: 'completed', signature: 'claim-2' };
  const matches: AuditedMatch[] = [
    {
      match: matchOf(1, { spillAfter: '10', entries: [entryOf(1, { outcome: 'forfeit' })] }),
      spillBefore: 0n,
    },
    {
      match: matchOf(2, {
        spillAfter: '1',
        entries: [entryOf(2, { outcome: 'cashout', amount: '19', payout })],
      }),
      spillBefore: 10n,
    },
  ];
  const join = (number: number, slot: bigint): LobbyTransaction => ({
    signature: `join-${number}`,
    slot,
    joins: [{ player: `wallet-${number}`, stake: 10n }],
    claims: [],
    memo: '',
    change: 10n,
  });
  const claim = (number: number, amount: bigint, memo: string): LobbyTransaction => ({
    signature: `claim-${number}`,
    slot: 300n,
    joins: [],
    claims: [{ player: `wallet-${number}`, amount }],
    memo,
    change: -amount,
  });
  const refunded = claim(3, 10n, 'refund:join-3');
  const chain: LobbyChain = {
    token: { symbol: 'SOL', decimals: 0 },
    transactions: [
      join(1, 100n),
      join(2, 200n),
      join(3, 210n),
      claim(2, 19n, compact('2'.repeat(64))),
      refunded,
    ],
    unread: 0,
    pool: 1n,
    newestSlot: 1_000_000n,
  };
  return { matches, chain, join, claim };
}

const audit = ({ matches, chain }: Pick<ReturnType<typeof lobby>, 'matches' | 'chain'>) =>
  auditLobby(matches, chain);
type Edited = ReturnType<typeof lobby>;

function forged(edit: (honest: Edited) => Partial<Edited>): readonly string[] {
  const honest = lobby();
  return audit({ ...honest, ...edit(honest) }).wrong;
}

const withMatch = ({ matches }: Edited, index: number, change: Partial<PublicMatch>) =>
  matches.with(index, { ...matches[index]!, match: { ...matches[index]!.match, ...change } });

describe('the audit of a lobby', () => {
  test('finds nothing in an honest one, to the unit', () => {
    const { wrong, open, figures } = audit(lobby());
    expect({ wrong, open }).toEqual({ wrong: [], open: [] });
    expect(figures).toEqual({
      matches: 2,
      joins: 3,
      paidIn: 30n,
      payouts: 2,
      paidOut: 29n,
      gifts: 0n,
      pool: 1n,
    });
  });

  test('6: finds spill out of nowhere', () => {
    const wrong = forged(({ matches }) => ({
      matches: matches.with(1, { ...matches[1]!, spillBefore: 500n }),
    }));
    expect(wrong).toEqual(['match match-2 begins with 500 SOL of spill, but 10 SOL was left for it']);
  });

  test('7b: finds a payer who was left out', () => {
    const wrong = forged((honest) => ({ matches: withMatch(honest, 0, { entries: [], entryCount: 0 }) }));
    expect(wrong).toEqual(['wallet-1 paid 10 SOL in join-1, which is in no match and was not returned']);
  });

  test('8: finds a payment that counts in two matches', () => {
    const wrong = forged((honest) => {
      const [second] = honest.matches[1]!.match.entries;
      const { payment } = honest.matches[0]!.match.entries[0]!;
      return { matches: withMatch(honest, 1, { entries: [{ ...second!, payment }] }) };
    });
    expect(wrong[0]).toBe(
      'the payment join-1 counts twice: for entry entry-1 of match match-1 and for entry entry-2 of match match-2',
    );
  });

  test('21: finds one commitment for two matches', () => {
    const wrong = forged((honest) => ({ matches: withMatch(honest, 1, { commitment: '1'.repeat(64) }) }));
    expect(wrong).toEqual(['matches match-1 and match-2 have the same commitment']);
  });

  test('R1: finds a payout that did not come out of this pool', () => {
    const wrong = forged(({ chain }) => {
      const transactions = chain.transactions.filter(({ signature }) => signature !== 'claim-2');
      return { chain: { ...chain, transactions, pool: 20n } };
    });
    expect(wrong).toEqual([
      "the payout claim-2 of entry entry-2 of match match-2 is not one of this lobby's pool",
    ]);
  });

  test('R3: finds one payout for entries of two matches', () => {
    const wrong = forged((honest) => {
      const { payout } = honest.matches[1]!.match.entries[0]!;
      const [first] = honest.matches[0]!.match.entries;
      return { matches: withMatch(honest, 0, { entries: [{ ...first!, amount: '19', payout }] }) };
    });
    expect(wrong[0]).toContain('the payout claim-2 counts twice');
  });

  test('finds a claim that nothing explains, and one out of thin air', () => {
    const stolen = forged(({ chain, claim, join }) => {
      const transactions = [...chain.transactions, join(2, 220n), claim(9, 10n, '')];
      return { chain: { ...chain, transactions } };
    });
    expect(stolen[0]).toBe('10 SOL left the pool in claim-9, and nothing explains it');
    const swept = forged(({ chain, claim }) => {
      const transactions = [...chain.transactions, { ...claim(9, 1n, ''), claims: [] }];
      return { chain: { ...chain, transactions, pool: 0n } };
    });
    expect(swept).toEqual(['claim-9 took 1 SOL from the pool without a claim']);
  });

  test('is never right while a payout is explained by nothing but a match that is said to run', () => {
    const honest = lobby();
    const { match } = honest.matches[0]!;
    const idle: PublicMatch = {
      ...match,
      id: 'match-9',
      state: 'preparing',
      commitment: '9'.repeat(64),
      entries: [],
    };
    const stolen = honest.claim(9, 1n, compact(idle.commitment));
    const { chain } = honest;
    const { wrong, open } = audit({
      matches: [...honest.matches, { match: idle, spillBefore: undefined }],
      chain: { ...chain, transactions: [...chain.transactions, stolen], pool: 0n },
    });
    expect({ wrong, open }).toEqual({ wrong: [], open: [expect.stringContaining('1 payout of 1 SOL')] });
  });

  test('leaves open what a running match and an incomplete list leave open', () => {
    const honest = lobby();
    const running = withMatch(honest, 1, {
      state: 'running',
      entries: [],
      entryCount: 0,
      block: { slot: '200', blockhash: '' },
    });
    const live = audit({ ...honest, matches: running });
    expect(live.wrong).toEqual([]);
    expect(live.open).toEqual([
      '1 payment of 10 SOL in a match that still runs, or on the way back',
      '1 payout of 19 SOL of a match that is said to run, for games that are not public yet',
    ]);
    const gaps = audit({
      ...honest,
      chain: { ...honest.chain, transactions: honest.chain.transactions.slice(1) },
    });
    expect(gaps.wrong).toEqual([]);
    expect(gaps.open.join()).toContain('the list of transactions has gaps');
  });
});
