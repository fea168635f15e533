import { expect, test } from 'vitest';
import { createManualClock } from '../../testing/game/manual-clock.ts';
import { createWaitingLine } from './waiting-line.ts';

function openLine() {
  const clock = createManualClock();
  const line = createWaitingLine(clock, 1, true);
  const served: string[] = [];
  const ask = (address: string, times = 1) =>
    Array.from({ length: times }, () => line.enter(address, () => served.push(address))).filter(Boolean)
      .length;
  return { clock, line, served, ask };
}

test('while few ask, nobody waits', () => {
  const { served, ask } = openLine();
  ask('10.0.0.1', 60);
  expect(served).toHaveLength(60);
});

test('above what all addresses may ask together they wait, and take turns', () => {
  const { clock, served, ask } = openLine();
  for (let i = 0; i < 50; i++) ask(`10.0.0.${i}`, 40);
  ask('10.0.1.1', 2);
  expect(served).toHaveLength(100);
  clock.advance(1_000);
  expect(served.length).toBeGreaterThan(280);
  expect(served.length).toBeLessThanOrEqual(300);
  // Each of its requests has waited for one of every other address, not for all of them.
  expect(served.filter((address) => address === '10.0.1.1')).toHaveLength(2);
});

test('never more than a few are served without a pause, also after a moment in which nothing ran', () => {
  const { clock, served, ask } = openLine();
  for (let i = 0; i < 10; i++) ask(`10.0.0.${i}`, 50);
  clock.stall(400);
  const before = served.length;
  clock.advance(1);
  expect(served.length - before).toBeLessThanOrEqual(5);
});

test('whoever is signed in does not wait for strangers, up to what one needs', () => {
  const { line, served, ask } = openLine();
  for (let i = 0; i < 50; i++) ask(`10.0.0.${i}`, 40);
  line.know('10.0.1.1');
  served.length = 0;
  ask('10.0.1.1', 100);
  expect(served).toHaveLength(80);
});

test('who asks without end is refused, and everybody is when the line is full', () => {
  const { ask } = openLine();
  ask('10.0.0.0', 100);
  expect(ask('10.0.0.1', 100)).toBe(60);
  for (let i = 0; i < 49; i++) ask(`10.0.1.${i}`, 60);
  expect(ask('10.0.2.1')).toBe(0);
});
