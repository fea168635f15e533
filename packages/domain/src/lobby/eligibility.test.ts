import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEligible, mayEnterRaffle, msUntilRaffleDraw, raffleCountdownText } from './eligibility.ts';

describe('isEligible', () => {
  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('code %s, raffle %s: %s', (referralCodeVerified, isRaffleWinner, eligible) => {
    expect(isEligible({ referralCodeVerified, isRaffleWinner })).toBe(eligible);
  });
});

describe('mayEnterRaffle', () => {
  const connect = { action: 'connect', isCompleted: true };
  const like = { action: 'like', isCompleted: true };

  it('needs every task, the connection included', () => {
    expect(mayEnterRaffle([connect, like])).toBe(true);
    expect(mayEnterRaffle([connect, { ...like, isCompleted: false }])).toBe(false);
    expect(mayEnterRaffle([{ ...connect, isCompleted: false }, like])).toBe(false);
    expect(mayEnterRaffle([like])).toBe(false);
    expect(mayEnterRaffle([])).toBe(false);
  });
});

describe('the raffle countdown', () => {
  it.each([
    ['2026-11-15T00:00:00.000Z', '24:00:00'],
    ['2026-11-15T00:00:00.001Z', '24:00:00'],
    ['2026-11-15T00:00:01.000Z', '23:59:59'],
    ['2026-11-15T12:34:56.000Z', '11:25:04'],
    ['2026-11-15T23:59:59.999Z', '00:00:01'],
  ])('at %s reads %s', (time, text) => {
    expect(raffleCountdownText(Date.parse(time))).toBe(text);
  });

  it('ends at a midnight within a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 4e12 }), (nowMs) => {
        const leftMs = msUntilRaffleDraw(nowMs);
        expect(leftMs > 0 && leftMs <= 86_400_000).toBe(true);
        expect(new Date(nowMs + leftMs).toISOString()).toMatch(/T00:00:00\.000Z$/);
      }),
    );
  });
});
