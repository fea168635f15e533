import { expect, test } from 'vitest';
import { durationText } from '../../../shared/format.ts';
import { createArenaEvents } from '../net/events.ts';
import { keepLifeRecord } from './life-record.ts';

test('a life is recorded from frames and events', () => {
  const events = createArenaEvents();
  const record = keepLifeRecord(events);
  record.noteMass(undefined, 500);
  record.noteMass(40, 1_000);
  record.noteMass(312.6, 60_000);
  record.noteMass(90, 125_000);
  record.noteMass(undefined, 126_000);
  for (const rank of [9, 3, 5]) events.publish({ type: 'personalRank', payload: { rank, reward: '1' } });
  for (const reward of ['0.047(x0.95)', '0.1(x2.00)', '1,000.5']) {
    events.publish({ type: 'KO', payload: { victim: 'v', killType: 'eaten', reward, timestamp: 0 } });
  }
  expect(record.read()).toEqual({
    aliveMs: 124_000,
    peakMass: 312.6,
    bestRank: 3,
    eaten: 3,
    bountyTaken: '1000.647',
  });
  record.stop();
});

test('dollars of a free lobby keep their two decimals when they are added up', () => {
  const events = createArenaEvents();
  const record = keepLifeRecord(events);
  for (const reward of ['1.20(x1.20)', '0.85(x0.85)']) {
    events.publish({ type: 'KO', payload: { victim: 'v', killType: 'eaten', reward, timestamp: 0 } });
  }
  expect(record.read().bountyTaken).toBe('2.05');
  record.stop();
});

test.each([
  [0, '0:00'],
  [59_999, '0:59'],
  [124_000, '2:04'],
])('%d ms are shown as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
