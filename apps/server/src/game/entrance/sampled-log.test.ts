import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { createSampledLog } from './sampled-log.ts';

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const clock = createManualClock();
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, clock, log: createSampledLog(logger, clock) };
}

test('one line per second and kind is written, with the number of those left out', () => {
  const { lines, clock, log } = openLog();
  for (let i = 0; i < 1_000; i++) log('error', 'bad frame', { nth: i }, 'a bad frame');
  log('warn', 'something else', {}, 'something else');
  expect(lines).toMatchObject([{ level: 50, nth: 0 }, { level: 40 }]);
  clock.advance(1_000);
  log('error', 'bad frame', { nth: 1_000 }, 'a bad frame');
  expect(lines[2]).toMatchObject({ nth: 1_000, suppressed: 999 });
});

test('lines of ever new kinds are sampled together', () => {
  const { lines, log } = openLog();
  for (let i = 0; i < 1_000; i++) log('warn', `kind ${i}`, {}, 'a line');
  expect(lines.length).toBeLessThan(100);
});
