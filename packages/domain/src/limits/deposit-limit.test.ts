import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeLimit,
  currentLimit,
  type Deposit,
  type DepositLimit,
  depositedWithin,
  hasRoomFor,
  LIMIT_DELAY_MS,
  LIMIT_WINDOW_MS,
  NO_LIMIT,
  roomFromMs,
} from './deposit-limit.ts';

const DAY_MS = LIMIT_WINDOW_MS;

describe('a limit', () => {
  test('applies at once when it is set or lowered', () => {
    expect(changeLimit(NO_LIMIT, 100n, 0)).toEqual({ amount: 100n });
    expect(changeLimit({ amount: 100n }, 40n, 0)).toEqual({ amount: 40n });
    expect(changeLimit({ amount: 100n }, 0n, 0)).toEqual({ amount: 0n });
  });

  test.each([200n, null])('waits a day when it becomes %s', (wanted) => {
    const changed = changeLimit({ amount: 100n }, wanted, 5);
    expect(changed).toEqual({ amount: 100n, pending: { amount: wanted, fromMs: 5 + LIMIT_DELAY_MS } });
    expect(currentLimit(changed, 4 + LIMIT_DELAY_MS).amount).toBe(100n);
    expect(currentLimit(changed, 5 + LIMIT_DELAY_MS)).toEqual({ amount: wanted });
  });

  test('keeps waiting when the same limit is asked for again, and restarts for a looser one', () => {
    const raised = changeLimit({ amount: 100n }, 200n, 0);
    expect(changeLimit(raised, 200n, 1_000)).toEqual(raised);
    expect(changeLimit(raised, 300n, 1_000).pending?.fromMs).toBe(1_000 + LIMIT_DELAY_MS);
  });

  test('forgets a pending raise when it is lowered or kept', () => {
    const raised = changeLimit({ amount: 100n }, 200n, 0);
    expect(changeLimit(raised, 50n, 1)).toEqual({ amount: 50n });
    expect(changeLimit(raised, 100n, 1)).toEqual({ amount: 100n });
  });

  test('says from when there is room', () => {
    const deposits = [
      { amount: 60n, atMs: 0 },
      { amount: 40n, atMs: 1_000 },
    ];
    expect(roomFromMs(1n, { amount: 100n }, deposits, 2_000)).toBe(DAY_MS);
    expect(roomFromMs(61n, { amount: 100n }, deposits, 2_000)).toBe(DAY_MS + 1_000);
    expect(roomFromMs(101n, { amount: 100n }, deposits, 2_000)).toBeUndefined();
    const removed = { amount: 100n, pending: { amount: null, fromMs: 5_000 } };
    expect(roomFromMs(101n, removed, deposits, 2_000)).toBe(5_000);
    expect(roomFromMs(101n, NO_LIMIT, deposits, 2_000)).toBe(2_000);
  });
});

const wish = fc.record({
  type: fc.constant('wish' as const),
  amount: fc.option(fc.bigInt({ min: 0n, max: 200n }), { nil: null }),
});
const pay = fc.record({ type: fc.constant('pay' as const), fee: fc.bigInt({ min: 1n, max: 90n }) });
const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS / 3 }), fc.oneof(wish, pay)), {
  maxLength: 40,
});

describe('whatever a player wishes and pays', () => {
  test('no 24 hours hold more than the strictest limit of the moment of the last deposit in them', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let [nowMs, limit]: [number, DepositLimit] = [0, NO_LIMIT];
        const deposits: Deposit[] = [];
        for (const [waitMs, step] of all) {
          nowMs += waitMs;
          if (step.type === 'wish') {
            limit = changeLimit(limit, step.amount, nowMs);
            continue;
          }
          const fromMs = roomFromMs(step.fee, limit, deposits, nowMs);
          expect(fromMs === nowMs).toBe(hasRoomFor(step.fee, limit, deposits, nowMs));
          if (fromMs !== undefined && fromMs > nowMs) {
            expect(hasRoomFor(step.fee, limit, deposits, fromMs)).toBe(true);
            expect(hasRoomFor(step.fee, limit, deposits, fromMs - 1)).toBe(false);
          }
          if (fromMs !== nowMs) continue;
          deposits.push({ amount: step.fee, atMs: nowMs });
          // Counted again in the plain way: everything paid in the 24 hours that end now.
          const sum = deposits.filter(({ atMs }) => atMs > nowMs - DAY_MS).reduce((s, d) => s + d.amount, 0n);
          const { amount } = currentLimit(limit, nowMs);
          expect(depositedWithin(deposits, nowMs)).toBe(sum);
          expect(amount === null || sum <= amount).toBe(true);
        }
      }),
    );
  });

  test('a limit becomes looser only after a day', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS }), wish), { maxLength: 20 }), (all) => {
        let [nowMs, limit]: [number, DepositLimit] = [0, { amount: 100n }];
        const asked: { atMs: number; amount: bigint | null }[] = [];
        for (const [waitMs, { amount }] of all) {
          const before = currentLimit(limit, nowMs).amount;
          nowMs += waitMs;
          const after = currentLimit(limit, nowMs).amount;
          const isLooser = before !== null && (after === null || after > before);
          if (isLooser) {
            const since = asked.findLast((wished) => wished.amount === after)!;
            expect(nowMs - since.atMs).toBeGreaterThanOrEqual(0);
            expect(asked.some((w) => w.amount === after && nowMs - w.atMs >= LIMIT_DELAY_MS)).toBe(true);
          }
          limit = changeLimit(limit, amount, nowMs);
          asked.push({ atMs: nowMs, amount });
        }
      }),
    );
  });
});
