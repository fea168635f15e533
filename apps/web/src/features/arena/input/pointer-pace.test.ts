import { describe, expect, test } from 'vitest';
import { createPointerPace } from './pointer-pace.ts';

describe('the pace of the pointer', () => {
  test('sends the first move and every turn after a pause at once', () => {
    const pace = createPointerPace();
    expect(pace.waitMs({ x: 300, y: 0 }, 1_000)).toBe(0);
    pace.noteSent({ x: 300, y: 0 }, 1_000);
    expect(pace.waitMs({ x: 0, y: 300 }, 1_050)).toBe(0);
  });

  test('sends at most every 50 ms', () => {
    const pace = createPointerPace();
    let sent = 0;
    for (let nowMs = 0; nowMs < 1_000; nowMs++) {
      const offset = { x: Math.round(300 * Math.cos(nowMs)), y: Math.round(300 * Math.sin(nowMs)) };
      if (pace.waitMs(offset, nowMs) !== 0) continue;
      pace.noteSent(offset, nowMs);
      sent++;
    }
    expect(sent).toBe(20);
  });

  test('lets a slight move wait, but not a turn after it', () => {
    const pace = createPointerPace();
    pace.noteSent({ x: 300, y: 0 }, 1_000);
    expect(pace.waitMs({ x: 301, y: 4 }, 1_060)).toBe(40);
    expect(pace.waitMs({ x: 301, y: 4 }, 1_100)).toBe(0);
    expect(pace.waitMs({ x: -300, y: 0 }, 1_060)).toBe(0);
  });

  test('does not send a pointer twice', () => {
    const pace = createPointerPace();
    pace.noteSent({ x: 300, y: 0 }, 1_000);
    expect(pace.waitMs({ x: 300, y: 0 }, 9_000)).toBeUndefined();
  });

  test('sends the same pointer again if it may be lost, even one that rests', () => {
    const pace = createPointerPace();
    pace.noteSent({ x: 300, y: 0 }, 1_000);
    pace.forget();
    expect(pace.waitMs({ x: 300, y: 0 }, 1_060)).toBe(0);
    expect(pace.waitMs({ x: 0, y: 0 }, 1_060)).toBe(0);
  });
});
