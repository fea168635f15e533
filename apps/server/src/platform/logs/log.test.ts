import { spawnSync } from 'node:child_process';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../../testing/soon.ts';
import { openLog } from './log.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-log-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const LINE = 'x'.repeat(10_000);

test('a full disk neither ends the process nor blocks its exit', () => {
  const script = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
    const logger = openLog({ logLevel: 'info', logFile: '/dev/full', dataDir: ${JSON.stringify(folder)} });
    for (let line = 0; line < 500; line++) logger.info('x'.repeat(10_000));
    setTimeout(() => { logger.info('still here'); process.exit(7); }, 50);`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 20_000,
  });
  expect(status).toBe(7);
});

test('logging resumes in order when there is space again, and reports what was lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const logFile = join(folder, 'server.log');
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const logger = openLog({ logLevel: 'info', logFile, dataDir: folder, traces: undefined });
  const write = vi
    .spyOn(fs, 'write')
    .mockImplementation(((...args: unknown[]) =>
      queueMicrotask(() => (args.at(-1) as (error: Error) => void)(full))) as never);
  for (let line = 0; line < 300; line++) logger.info({ line }, LINE);
  await vi.advanceTimersByTimeAsync(5_000);
  write.mockRestore();
  await vi.advanceTimersByTimeAsync(1_000);
  await soon(() => expect(readFileSync(logFile, 'utf8')).toContain('"code":"LOG_LOST"'));
  logger.info('after');
  await soon(() => expect(readFileSync(logFile, 'utf8')).toContain('"msg":"after"'));
  const lines = readFileSync(logFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  const kept = lines.filter(({ line }) => line !== undefined).map(({ line }) => line);
  expect(kept).toEqual([...kept.keys()]);
  const { droppedLines } = lines.find(({ code }) => code === 'LOG_LOST');
  expect(droppedLines).toBe(300 - kept.length);
  expect(droppedLines).toBeGreaterThan(150);
});
