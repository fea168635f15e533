import type { PortalTiming } from '@engulf/netcode/decode/arena-view';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockText, type PortalTimer, portalTimer } from './portals.ts';

const idle = (timeUntilNextWaveMs: number): PortalTiming => ({
  waveActive: false,
  inWarningPhase: false,
  timeUntilNextWaveMs,
});
const warning = (timeUntilNextWaveMs: number) => ({ ...idle(timeUntilNextWaveMs), inWarningPhase: true });

describe('portalTimer', () => {
  test.each<[PortalTiming | undefined, PortalTimer]>([
    [undefined, { tone: 'unknown', text: '--:--' }],
    [
      { waveActive: false, inWarningPhase: false },
      { tone: 'unknown', text: '--:--' },
    ],
    [idle(Number.NaN), { tone: 'unknown', text: '--:--' }],
    [idle(Number.POSITIVE_INFINITY), { tone: 'unknown', text: '--:--' }],
    [
      { ...idle(90_000), waveActive: true },
      { tone: 'live', text: 'PORTAL LIVE!' },
    ],
    [
      { waveActive: true, inWarningPhase: true },
      { tone: 'live', text: 'PORTAL LIVE!' },
    ],
    [warning(10_000), { tone: 'warning', text: '00:10' }],
    [warning(9_001), { tone: 'warning', text: '00:10' }],
    [warning(1), { tone: 'warning', text: '00:01' }],
    [warning(0), { tone: 'warning', text: '00:00' }],
    [idle(90_000), { tone: 'idle', text: '1:30' }],
    [idle(65_400), { tone: 'idle', text: '1:06' }],
    [idle(5_000), { tone: 'idle', text: '0:05' }],
    [idle(600_000), { tone: 'idle', text: '10:00' }],
    [idle(-400), { tone: 'idle', text: '0:00' }],
  ])('%j', (timing, timer) => {
    expect(portalTimer(timing)).toEqual(timer);
  });

  test('is always a time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 3_000_000 }), (ms) => {
        expect(portalTimer(idle(ms)).text).toMatch(/^\d+:[0-5]\d$/);
      }),
    );
  });
});

test.each([
  [60, '01:00'],
  [59.2, '01:00'],
  [24, '00:24'],
  [0.3, '00:01'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
