import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eatenShare, forfeitRefund, spillShare, splitFee } from './bounty.ts';

const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const cellMasses = fc.array(fc.integer({ min: 1, max: 50_000_000 }), { minLength: 1, maxLength: 16 });
const mass = fc.integer({ min: 0, max: 50_000_000 });

describe('splitFee', () => {
  test.each([
    [100_000_000n, 500, 5_000_000n, 95_000_000n],
    [100n, 0, 0n, 100n],
    [100n, 10_000, 100n, 0n],
    [19n, 500, 0n, 19n],
    [20n, 500, 1n, 19n],
    [0n, 500, 0n, 0n],
  ])('of %d at %d basis points', (fee, basisPoints, treasury, stake) => {
    expect(splitFee(fee, basisPoints)).toEqual({ treasury, stake });
  });

  test('adds up to the fee and never charges above the rate', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (fee, basisPoints) => {
        const { treasury, stake } = splitFee(fee, basisPoints);
        expect(treasury + stake).toBe(fee);
        expect(treasury * 10_000n <= fee * BigInt(basisPoints)).toBe(true);
        expect((treasury + 1n) * 10_000n > fee * BigInt(basisPoints)).toBe(true);
      }),
    );
  });

  test.each([-1, 10_001, 0.5, Number.NaN])('refuses a rate of %d', (basisPoints) => {
    expect(() => splitFee(1n, basisPoints)).toThrow(RangeError);
  });

  test('refuses a negative fee', () => {
    expect(() => splitFee(-1n, 0)).toThrow(RangeError);
  });
});

describe('eatenShare', () => {
  test.each([
    [1000n, 40_000, 40_000, 1000n],
    [1000n, 10_000, 40_000, 250n],
    [1000n, 1, 3, 333n],
    [1n, 39_999, 40_000, 0n],
    [0n, 10, 40, 0n],
    [1000n, 0, 40, 0n],
  ])('of %d for mass %d of %d is %d', (bounty, cellMass, totalMass, share) => {
    expect(eatenShare(bounty, cellMass, totalMass)).toBe(share);
  });

  test('of all cells, in any order, adds up to the bounty', () => {
    fc.assert(
      fc.property(amount, cellMasses, (bounty, cells) => {
        let left = bounty;
        let massLeft = cells.reduce((sum, cell) => sum + cell, 0);
        let eaten = 0n;
        for (const cell of cells) {
          const share = eatenShare(left, cell, massLeft);
          expect(share >= 0n && share <= left).toBe(true);
          left -= share;
          eaten += share;
          massLeft -= cell;
        }
        expect(left).toBe(0n);
        expect(eaten).toBe(bounty);
      }),
    );
  });

  test('is never larger for a smaller cell', () => {
    fc.assert(
      fc.property(amount, mass, mass, (bounty, one, other) => {
        const [small, big] = one < other ? [one, other] : [other, one];
        const total = small + big + 1;
        expect(eatenShare(bounty, small, total) <= eatenShare(bounty, big, total)).toBe(true);
      }),
    );
  });

  test.each([
    [-1n, 1, 2],
    [1n, 3, 2],
    [1n, 0, 0],
    [1n, 0.5, 2],
    [1n, -1, 2],
    [1n, Number.NaN, 2],
    [1n, 1, Number.POSITIVE_INFINITY],
  ])('throws on eatenShare(%d, %d, %d)', (bounty, cellMass, totalMass) => {
    expect(() => eatenShare(bounty, cellMass, totalMass)).toThrow(RangeError);
  });
});

describe('forfeitRefund', () => {
  test.each([
    ['an untouched player gets the stake', 950n, 950n, 40_000, 40_000, 950n],
    ['a grown and rich one gets no more than the stake', 5000n, 950n, 90_000, 40_000, 950n],
    ['a half-eaten one gets half of what is left', 400n, 950n, 20_000, 40_000, 200n],
    ['a shrunk but rich one gets its part of the stake', 5000n, 950n, 20_000, 40_000, 475n],
    ['a robbed one gets the bounty that is left', 10n, 950n, 80_000, 40_000, 10n],
    ['a body without mass gets nothing', 950n, 950n, 0, 40_000, 0n],
  ])('%s', (_case, bounty, stake, bodyMass, spawnMass, refund) => {
    expect(forfeitRefund({ bounty, stake, mass: bodyMass, spawnMass })).toBe(refund);
  });

  test('never exceeds the bounty or the stake, and never shrinks with mass', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        mass,
        fc.integer({ min: 1, max: 1_000_000 }),
        (bounty, stake, m, spawnMass) => {
          const refund = forfeitRefund({ bounty, stake, mass: m, spawnMass });
          expect(refund >= 0n && refund <= bounty && refund <= stake).toBe(true);
          expect(forfeitRefund({ bounty, stake, mass: m + 1, spawnMass }) >= refund).toBe(true);
        },
      ),
    );
  });

  test('throws without a spawn mass', () => {
    expect(() => forfeitRefund({ bounty: 1n, stake: 1n, mass: 1, spawnMass: 0 })).toThrow(RangeError);
  });
});

describe('spillShare', () => {
  test('keeps the pot when nobody is alive', () => {
    expect(spillShare(77n, 0)).toEqual({ each: 0n, remainder: 77n });
  });

  test('is equal for everyone and leaves less than one unit per player', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 500 }), (pot, livingCount) => {
        const { each, remainder } = spillShare(pot, livingCount);
        expect(each * BigInt(livingCount) + remainder).toBe(pot);
        expect(remainder >= 0n && remainder < BigInt(livingCount)).toBe(true);
      }),
    );
  });

  test.each([-1, 1.5, Number.NaN])('throws for %d living players', (livingCount) => {
    expect(() => spillShare(1n, livingCount)).toThrow(RangeError);
  });
});

describe('a whole lobby', () => {
  type Move = { kind: 'eat' | 'leave' | 'exit'; who: number; by: number; part: number };
  const move: fc.Arbitrary<Move> = fc.record({
    kind: fc.constantFrom('eat', 'leave', 'exit'),
    who: fc.nat({ max: 9 }),
    by: fc.nat({ max: 9 }),
    part: fc.integer({ min: 1, max: 1000 }),
  });

  test('conserves what was paid in over any sequence of events', () => {
    const stakes = fc.array(amount, { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(stakes, fc.array(move, { maxLength: 60 }), (paidIn, moves) => {
        const spawnMass = 40_000;
        const players = new Map(paidIn.map((stake, id) => [id, { bounty: stake, stake, mass: spawnMass }]));
        let spill = 0n;
        let paidOut = 0n;
        for (const { kind, who, by, part } of moves) {
          const player = players.get(who);
          const eater = players.get(by);
          if (!player) continue;
          if (kind === 'eat' && eater && eater !== player) {
            const cellMass = Math.max(1, Math.floor((player.mass * part) / 1000));
            const share = eatenShare(player.bounty, cellMass, player.mass);
            player.bounty -= share;
            player.mass -= cellMass;
            eater.bounty += share;
            eater.mass += cellMass;
            if (player.mass === 0) {
              expect(player.bounty).toBe(0n);
              players.delete(who);
            }
          } else if (kind === 'exit') {
            paidOut += player.bounty;
            players.delete(who);
          } else if (kind === 'leave') {
            const refund = forfeitRefund({ ...player, spawnMass });
            paidOut += refund;
            players.delete(who);
            const { each, remainder } = spillShare(spill + player.bounty - refund, players.size);
            for (const living of players.values()) living.bounty += each;
            spill = remainder;
          }
          const bounties = [...players.values()].reduce((sum, living) => sum + living.bounty, 0n);
          expect(bounties + spill + paidOut).toBe(paidIn.reduce((sum, stake) => sum + stake, 0n));
        }
      }),
    );
  });
});
