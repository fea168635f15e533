import { expect, test } from 'vitest';
import { readTrace, type TraceEvent } from './read-trace.ts';

const URL = 'http://localhost:3000';
const MAIN = { pid: 7, tid: 1 };

const event = (name: string, atMs: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  name,
  cat: 'loading',
  ph: 'R',
  ...MAIN,
  ts: 5_000_000 + atMs * 1000,
  ...more,
});
const task = (atMs: number, tookMs: number, more: Partial<TraceEvent> = {}) =>
  event('RunTask', atMs, { ph: 'X', dur: tookMs * 1000, tdur: tookMs * 500, ...more });
const start = event('navigationStart', 0, { args: { data: { documentLoaderURL: `${URL}/` } } });
const paint = event('firstContentfulPaint', 80);
const usable = event('usable', 200, { cat: 'blink.user_timing' });

const read = (...events: TraceEvent[]) => readTrace(events, { url: URL, usableMark: 'usable' });

test('times count from the navigation to the page, not from one before', () => {
  const before = event('navigationStart', -500, { args: { data: { documentLoaderURL: 'about:blank' } } });
  expect(read(before, task(-100, 20), start, task(10, 20), paint, usable)).toEqual({
    firstPaintMs: 80,
    usableMs: 200,
    interactiveMs: 200,
    longTasks: 0,
    mainCpuMs: 10,
  });
});

test('a long task that is under way when the menu is usable delays its use, a later one does not', () => {
  const figures = read(start, paint, task(100, 60), task(190, 70), usable, task(300, 90));
  expect(figures).toMatchObject({ usableMs: 200, interactiveMs: 260, longTasks: 2, mainCpuMs: 65 });
});

test('other processes and threads do not count', () => {
  const figures = read(start, paint, task(150, 90, { pid: 8 }), task(150, 90, { tid: 2 }), usable);
  expect(figures).toMatchObject({ interactiveMs: 200, longTasks: 0, mainCpuMs: 0 });
});

test('a trace without what is looked for is refused', () => {
  expect(() => read(paint, usable)).toThrow('no navigation');
  expect(() => read(start, paint)).toThrow('no first paint or no usable menu');
});
