import type { AnchorMemo, CommitMemo } from '@engulf/chain/anchors/anchor-memo';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { readHeader, writeHeader } from '@engulf/sim/recording/header';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnchorFacts } from './chain-facts.ts';
import { liveMatch } from './testing/live-match.ts';
import { type Evidence, playMatch, seal } from './testing/played-match.ts';
import { verifyMatch } from './verify-match.ts';

const [sample] = fc.sample(liveMatch, { seed: 11, numRuns: 1 });
const evidence = playMatch(sample!);
const { anchors } = evidence.chain;

const verify = ({ match, recording, chain }: Evidence) => verifyMatch(match, recording, chain);

const withAnchors = (changed: Partial<AnchorFacts>): Evidence => ({
  ...evidence,
  chain: { ...evidence.chain, anchors: { ...anchors!, ...changed } },
});

const withMatch = (changed: Partial<PublicMatch>): Evidence => ({
  ...evidence,
  match: { ...evidence.match, ...changed },
});

const withCommit = (changed: Partial<CommitMemo>) =>
  withAnchors({
    commit: { ...anchors!.commit!, memo: { ...(anchors!.commit!.memo as CommitMemo), ...changed } },
  });

/** Replaces one memo in what the key has published, and leaves the others. */
const withListed = (signature: string, changed: Partial<AnchorMemo>) =>
  withAnchors({
    listed: anchors!.listed!.map((one) =>
      one.signature === signature ? { ...one, memo: { ...one.memo, ...changed } as AnchorMemo } : one,
    ),
  });

const other = toHex(numberedKey(99));

describe('a match for money', () => {
  test('fits if its commitment was on the chain before its block', async () => {
    expect(await verify(evidence)).toMatchObject({ isRight: true, wrong: undefined, open: [] });
  });

  test('whose commitment was not on the chain never passes', async () => {
    const [header, ...rest] = evidence.parts;
    const read = readHeader(header!.body, RECORDING_VERSION);
    if (!read.ok) throw new Error(read.error.problem);
    const bond = { ...read.value.bond, anchor: null };
    const { recording, finalHash } = seal([
      { kind: 'header', body: writeHeader({ ...read.value, bond }) },
      ...rest,
    ]);
    const match = { ...evidence.match, anchor: null, finalHash };
    const chain = { ...evidence.chain, anchors: undefined, claims: new Map() };
    const { isRight, open } = await verifyMatch({ ...match, entries: match.entries }, recording, chain);
    expect(isRight).toBe(false);
    expect(open.join()).toContain('not on the chain before its block');
  });

  test('is open, not right, if the node cannot show what was published', async () => {
    for (const forgotten of [{ commit: undefined }, { listed: undefined }])
      expect(await verify(withAnchors(forgotten))).toMatchObject({ isRight: false, wrong: undefined });
  });

  test('that follows matches which nobody played says how many', async () => {
    const { line } = await verify(withListed('close before', { finalHash: undefined }));
    expect(line).toContain('after 1 that nobody played');
  });
});

describe('a forgery', () => {
  test.each<[string, Evidence, string]>([
    [
      '14: a secret that was chosen after the block',
      withCommit({ commitment: other }),
      'published something else',
    ],
    ['5: other rules than were published', withCommit({ terms: other }), 'other rules'],
    ['another match before it', withCommit({ previous: other }), 'another match before it'],
    [
      '15: a block that the commitment does not decide',
      withMatch({ targetSlot: `${BigInt(evidence.match.targetSlot!) - 1n}` }),
      'decides slot',
    ],
    [
      'a transaction that the recording does not name',
      withMatch({ anchor: evidence.match.anchor!.replace(/^./, '3') as PublicMatch['anchor'] }),
      'names another transaction',
    ],
    [
      'a commitment that was published for another lobby',
      withAnchors({ commit: { ...anchors!.commit!, accounts: anchors!.commit!.accounts.slice(0, 1) } }),
      'another lobby',
    ],
    [
      'a commitment that was published twice, to choose between two blocks',
      withAnchors({
        listed: [{ signature: 'again', slot: 2n, memo: anchors!.commit!.memo! }, ...anchors!.listed!],
      }),
      'published before',
    ],
    ['6: a spill from nowhere', withListed('close before', { spill: 4n }), 'left over'],
  ])('with %s is found', async (_what, forged, complaint) => {
    expect((await verify(forged)).wrong).toMatchObject({
      check: 'anchor',
      what: expect.stringContaining(complaint),
    });
  });

  test('23: with a match that was prepared in its place and dropped does not pass', async () => {
    const memo = { ...(anchors!.commit!.memo as CommitMemo), commitment: other };
    const rerolled = withAnchors({
      listed: [...anchors!.listed!, { signature: 'rival', slot: 3n, memo }],
    });
    expect(await verify(rerolled)).toMatchObject({
      isRight: false,
      open: ['1 more were prepared in its place and not played'],
    });
  });

  test('13: with a recording that was rewritten after its payouts is found', async () => {
    const [header, ...rest] = evidence.parts;
    const read = readHeader(header!.body, RECORDING_VERSION);
    if (!read.ok) throw new Error(read.error.problem);
    const bond = { ...read.value.bond, release: '0.1.0+1234567' };
    const { recording, finalHash } = seal([
      { kind: 'header', body: writeHeader({ ...read.value, bond }) },
      ...rest,
    ]);
    const { wrong } = await verifyMatch({ ...evidence.match, finalHash }, recording, evidence.chain);
    expect(wrong).toMatchObject({ check: 'hashes', what: expect.stringContaining('another hash') });
    const unpaid = { ...evidence.chain, claims: withoutHashes() };
    const closed = await verifyMatch({ ...evidence.match, finalHash }, recording, unpaid);
    expect(closed.wrong).toMatchObject({
      check: 'hashes',
      what: expect.stringContaining('another recording was closed'),
    });
  });

  test('with another spill than was closed on the chain is found', async () => {
    const { wrong } = await verify(withListed('close', { spill: 1_000n }));
    expect(wrong).toMatchObject({ check: 'hashes', what: expect.stringContaining('1000 was left') });
  });
});

/** As payouts were before they named the recording. */
function withoutHashes() {
  return new Map(
    [...evidence.chain.claims].map(([signature, claim]) => [
      signature,
      claim && { ...claim, memo: claim.memo.replace(/:\S+/, '') },
    ]),
  );
}
