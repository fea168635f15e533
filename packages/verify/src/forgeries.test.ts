import { confirmedTransaction, signatureOf } from '@engulf/chain/testing/confirmed-transaction';
import { joinCall, PROGRAM_ID } from '@engulf/chain/testing/join-calls';
import { testAddress } from '@engulf/chain/testing/people';
import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { rulesText, writeHeader } from '@engulf/sim/recording/header';
import type { Rules } from '@engulf/sim/rules';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import type { SeenClaim, SeenJoins } from './chain-facts.ts';
import { openRecording } from './open-recording.ts';
import { readChainFacts } from './read-chain-facts.ts';
import { change, evidence, inFreeLobby, verify } from './testing/live-match.ts';
import { type Evidence, playMatch, seal } from './testing/played-match.ts';
import { judgeUnrecorded, verifyMatch } from './verify-match.ts';

/*
 * What an operator could try, with the numbers of the table in docs/fairness.md. Those that only a look at the whole lobby
 * finds are in lobby-forgeries.test.ts.
 */

const join = { what: 'join' as const, stake: 1_000n };
const STILL = Array.from({ length: 260 }, () => []);
/** Nobody eats anybody, because they weigh about the same, and nobody can leave. */
const CALM: Rules = {
  ...crowdedRules,
  spawn: { ...crowdedRules.spawn, invulnerableSeconds: 8 },
  portals: { ...crowdedRules.portals, idleSeconds: 1_000 },
};
const cut = playMatch({ seed: 11, moves: [[join, join, join], ...STILL] }, { isCut: true, rules: CALM });

function settle(original: Evidence, amounts: readonly bigint[]): Evidence {
  // The chain would show what the operator paid.
  return change({ ...original, chain: undefined as never }, (match) => {
    match.entries = match.entries.map((entry, index) => {
      const amount = amounts[index]!.toString();
      const payout = amounts[index] === 0n ? null : { ...entry.payout!, amount };
      return { ...entry, outcome: amounts[index] === 0n ? 'killed' : 'fault', amount, payout };
    });
  });
}

async function underRules(rules: Rules): Promise<Evidence> {
  const opened = await openRecording(evidence.recording);
  if (!opened.ok) throw new Error(opened.error.problem);
  const body = writeHeader({ ...opened.value.header, rules });
  const parts = evidence.parts.map((part) => (part.kind === 'header' ? { ...part, body } : part));
  const { recording, finalHash } = seal(parts);
  const forged = change(evidence, (match) => Object.assign(match, { finalHash, rules: rulesText(rules) }));
  return { ...forged, recording };
}

function claimsChanged(edit: (payment: SeenClaim['payments'][number]) => object): Evidence {
  const claims = new Map(
    [...evidence.chain.claims].map(([name, claim]) => {
      const payments = claim.payments.map((payment) => ({ ...payment, ...edit(payment) }));
      return [name, { ...claim, payments }] as const;
    }),
  );
  return { ...evidence, chain: { ...evidence.chain, claims } };
}

function joinsChanged(change: Partial<SeenJoins>): Evidence {
  const [[name, seen]] = [...evidence.chain.joins] as [[string, SeenJoins]];
  const joins = new Map([...evidence.chain.joins, [name, { ...seen, ...change }]]);
  return { ...evidence, chain: { ...evidence.chain, joins } };
}

describe('a forgery', () => {
  test('5: rules that are not the standard ones are named', async () => {
    const rules = { ...crowdedRules, eating: { ...crowdedRules.eating, massRatio: 1.05 } };
    const { notes } = await verify(playMatch({ seed: 4, moves: [[join], ...STILL] }, { rules }));
    expect(notes.join()).toContain('eating.massRatio 1.05 (standard 1.3)');
  });

  test('5b: rules that no arena can have are wrong', async () => {
    const rules = { ...crowdedRules, food: { ...crowdedRules.food, count: 1e6 } };
    const forged = await underRules(rules);
    expect((await verify(forged)).wrong).toMatchObject({ check: 'anchor' });
    // Without the chain as well.
    const { wrong } = await verifyMatch(forged.match, forged.recording, undefined);
    expect(wrong).toMatchObject({ check: 'replay', what: expect.stringContaining('no arena can have') });
  });

  test('10: a match for money is not free because the server calls it free', async () => {
    const flagged = change(evidence, (match) => Object.assign(match, { isFree: true }));
    expect((await verify(flagged)).wrong).toMatchObject({ check: 'entries' });
    const unpaid = change(inFreeLobby(evidence), (match) => Object.assign(match, { chainLobbyId: '1' }));
    expect((await verify(unpaid)).wrong).toMatchObject({ check: 'entries' });
    const inSol = change(inFreeLobby(evidence), (match) => Object.assign(match, { tokenSymbol: 'SOL' }));
    expect((await verify(inSol)).wrong).toMatchObject({ check: 'entries' });
  });

  test("12: what the living carried at a cut is not the operator's to give away", async () => {
    expect((await verify(cut)).wrong).toBeUndefined();
    const amounts = cut.match.entries.map(({ amount }) => BigInt(amount!));
    expect((await verify(settle(cut, amounts))).open.join()).not.toContain('outside the recording');
    const all = amounts.reduce((sum, amount) => sum + amount, 0n);
    const { isRight, wrong, open } = await verify(settle(cut, [all, 0n, 0n]));
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    expect(open.join()).toMatch(/0\.000002\d* SOL was settled outside the recording/);
    const made = await verify(settle(cut, [all + 1n, 0n, 0n]));
    expect(made.wrong).toMatchObject({ check: 'settlement' });
  });

  test('12b: an entry after a cut gets its stake and no more', async () => {
    const entry = (number: number, amount: bigint, wallet: string) => ({
      ...cut.match.entries[0]!,
      id: `late-${number}`,
      payment: { ...cut.match.entries[0]!.payment!, wallet: wallet as never },
      outcome: 'fault' as const,
      amount: amount.toString(),
      payout: { ...cut.match.entries[0]!.payout!, wallet: wallet as never, amount: amount.toString() },
    });
    const late = (amounts: readonly bigint[], wallets = ['a', 'b']) =>
      change({ ...cut, chain: undefined as never }, (match) => {
        const added = amounts.map((amount, i) => entry(i, amount, wallets[i]!));
        match.entries = [...match.entries, ...added];
        match.entryCount += added.length;
      });
    const honest = await verify(late([1_000n, 1_000n]));
    expect(honest.notes).toContain('2 entries came after that');
    expect(honest.open.join()).not.toContain('outside');
    expect((await verify(late([2_000n, 0n]))).open.join()).toContain('outside the recording');
    expect((await verify(late([1_000n, 1_000n], ['a', 'a']))).open.join()).toContain('more than seconds');
  });

  test('16: a recording of another version is open, and not called damaged', async () => {
    const recording = evidence.recording.slice();
    recording[3] = 2;
    const { isRight, wrong, open } = await verify({ ...evidence, recording });
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    expect(open.join()).toMatch(/version 2, which a release .* plays/);
  });

  test('20: entries without a recording are wrong', () => {
    const withheld = change(evidence, (match) => Object.assign(match, { finalHash: null }));
    expect(judgeUnrecorded(withheld.match)?.wrong).toMatchObject({ check: 'recording' });
    expect(judgeUnrecorded({ ...withheld.match, entryCount: 0, entries: [] })).toBeUndefined();
  });

  test('a program with other code is open, with its hash; who can replace it is named', async () => {
    const under = (change: object) =>
      verify({
        ...evidence,
        chain: { ...evidence.chain, program: { ...evidence.chain.program!, ...change } },
      });
    const other = await under({ sha256: 'ab'.repeat(32) });
    expect(other).toMatchObject({ isRight: false, wrong: undefined });
    expect(other.open.join()).toContain('abab');
    const owned = await under({ upgradeAuthority: testAddress(7) });
    expect(owned).toMatchObject({ isRight: true });
    expect(owned.notes).toContain(`${testAddress(7)} can replace the program`);
    expect((await under({ deployedSlot: 1n << 60n })).notes.join()).toContain('after this match began');
    expect((await verify({ ...evidence, chain: { ...evidence.chain, program: undefined } })).isRight).toBe(
      false,
    );
  });

  test('R1: a payout out of the pool of another lobby does not count', async () => {
    const forged = claimsChanged(() => ({ lobbyConfig: 'another pool' as Address }));
    expect((await verify(forged)).wrong?.what).toContain('pool of another lobby');
  });

  test('R2: a payout in another token does not count', async () => {
    const forged = claimsChanged(() => ({ tokenMint: 'worthless' as Address }));
    expect((await verify(forged)).wrong?.what).toContain('in another token');
  });

  test('R4: an entry that was paid for after the match does not count', async () => {
    const late = 'was paid for after the match had ended';
    expect((await verify(joinsChanged({ slot: 30_000_000_000n }))).wrong?.what).toContain(late);
    expect((await verify(joinsChanged({ timeMs: 400_000 }))).wrong?.what).toContain(late);
    expect((await verify(joinsChanged({ timeMs: 200_000 }))).wrong).toBeUndefined();
  });

  test('R5: a payment that a node makes up is not believed', async () => {
    const call = joinCall({
      lobbyConfig: testAddress(2),
      player: testAddress(1),
      treasury: testAddress(3),
      tokenMint: undefined,
      entryFee: 10n,
      platformFee: 1n,
      stake: 9n,
    });
    const real = { slot: 4, ...confirmedTransaction(testAddress(1), [call]) };
    const bytes = Buffer.from(real.transaction[0]!, 'base64');
    // Another amount, and nobody's signature for it.
    bytes[bytes.length - 3]! ^= 1;
    const madeUp = { ...real, transaction: [bytes.toString('base64'), 'base64'] };
    const signature = signatureOf(real);
    const { match } = change(evidence, ({ entries }) => {
      entries.splice(1);
      Object.assign(entries[0]!.payment!, { signature });
      entries[0]!.payout = null;
    });
    const read = (answer: object) => {
      const { rpc } = scriptedNode({ getTransaction: () => answer, getBlocks: () => [] });
      return readChainFacts(rpc as never, PROGRAM_ID, match);
    };
    expect((await read(real)).joins.get(signature)).toMatchObject({ slot: 4n });
    const chain = await read(madeUp);
    expect(chain.joins.get(signature)).toBe('madeUp');
  });
});
