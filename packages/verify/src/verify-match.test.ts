import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { change, evidence, inFreeLobby, liveMatch, sample, verify } from './testing/live-match.ts';
import { playMatch } from './testing/played-match.ts';

describe('a match', () => {
  test('that was played by the rules fits, and so does one that was cut where its server died', async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(liveMatch, fc.nat(), async (match, length) => {
        expect(await verify(playMatch(match))).toMatchObject({ isRight: true, wrong: undefined, open: [] });
        const moves = match.moves.slice(0, 130 + (length % (match.moves.length - 130)));
        const cut = playMatch({ ...match, moves }, { isCut: true });
        cuts += cut.parts.filter(({ kind }) => kind === 'segment').length;
        expect((await verify(cut)).wrong).toBeUndefined();
      }),
      { numRuns: 40 },
    );
    expect(cuts).toBeGreaterThan(40);
  });

  test('in which somebody was given test mass fails the check if it was paid, and passes if it was free', async () => {
    // Repeated, because the player may be dead at the moment.
    const testMass = { what: 'testMass', who: 0, x: 0, y: 0 } as const;
    const grown = sample.moves.map((moves, tick) => (tick % 50 === 0 ? [...moves, testMass] : moves));
    const tested = playMatch({ ...sample, moves: grown });
    expect(await verify(tested)).toMatchObject({
      isRight: false,
      wrong: { check: 'replay', what: 'a player of a match for money was given mass for a test' },
    });
    expect(await verify(inFreeLobby(tested))).toMatchObject({ isRight: true });
  });

  test('says in one line what fits', async () => {
    const { line } = await verify(evidence);
    expect(line).toMatch(
      /fits: the recording of \d+ s is complete, the secret is .*, block \d+ is on the chain and not older than the commitment, it was published before its block, played again, .* all \d+ steps/,
    );
    expect(line).not.toContain('\n');
  });

  test('fits if the clocks of server and chain are minutes apart, or the node does not tell the time of the block', async () => {
    for (const apartMs of [-3_600_000, 31_000, 290_000]) {
      const apart = change(evidence, (match) => {
        match.committedAt = new Date(evidence.chain.block!.timeMs! + apartMs).toISOString();
      });
      expect(await verify(apart)).toMatchObject({ isRight: true });
    }
    const block = { ...evidence.chain.block!, timeMs: undefined };
    const timeless = await verify({ ...evidence, chain: { ...evidence.chain, block } });
    expect(timeless.isRight).toBe(true);
    expect(timeless.line).not.toContain('older than the commitment');
  });

  test('does not pass while a payout is on its way or the block is forgotten', async () => {
    const waiting = change(evidence, (match) => {
      match.entries.find(({ payout }) => payout)!.payout!.signature = null;
    });
    expect(await verify(waiting)).toMatchObject({
      isRight: false,
      wrong: undefined,
      open: ['1 payout is not on the chain yet'],
    });
    const forgotten = { ...evidence, chain: { ...evidence.chain, block: undefined } };
    expect(await verify(forgotten)).toMatchObject({ isRight: false, wrong: undefined });
  });

  test('does not fail on a node that has forgotten the block and everything after it', async () => {
    const { chain, match } = evidence;
    const unknown = (known: ReadonlyMap<string, unknown>) =>
      new Map([...known.keys()].map((key) => [key, 'missing' as const]));
    const forgetful = {
      ...chain,
      block: undefined,
      claims: unknown(chain.claims),
      joins: unknown(chain.joins),
    };
    const { isRight, wrong, open } = await verify({ ...evidence, chain: forgetful });
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    const paidOut = match.entries.filter(({ payout }) => payout).length;
    expect(open.join()).toContain(`the node does not have ${paidOut} payouts`);
  });
});
