import { debugAndPrintError } from '@colyseus/core';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { captureColyseusLog } from '../sockets/colyseus-log.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createSampledLog } from './sampled-log.ts';

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const clock = createManualClock();
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, clock, log: createSampledLog(logger, clock) };
}

test("Colyseus' errors go to our log, one per second and kind, and not to the console", () => {
  const toConsole = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const { lines, clock, log } = openLog();
  captureColyseusLog(log);
  for (let i = 0; i < 1_000; i++) debugAndPrintError(new Error(`bad frame ${i}`));
  debugAndPrintError(new Error('something else'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ level: 50, colyseus: expect.stringContaining('bad frame 0') });
  clock.advance(1_000);
  debugAndPrintError(new Error('bad frame 1000'));
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ suppressed: 999 });
  expect(toConsole).not.toHaveBeenCalled();
});

test('lines of ever new kinds are sampled together, and each is short', () => {
  const { lines, log } = openLog();
  captureColyseusLog(log);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (let i = 0; i < 1_000; i++) {
    debugAndPrintError(
      `${letters[i % 26]}${letters[Math.floor(i / 26) % 26]}${letters[i % 25]} ${'x'.repeat(50_000)}`,
    );
  }
  expect(lines.length).toBeLessThan(100);
  for (const { colyseus } of lines) expect((colyseus as string).length).toBeLessThanOrEqual(2_000);
});
