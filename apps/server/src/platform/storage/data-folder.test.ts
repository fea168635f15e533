import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataFolder } from './data-folder.ts';

let path: string;
let holder: ChildProcess | undefined;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'engulf-data-'));
});
afterEach(() => {
  holder?.kill('SIGKILL');
  rmSync(path, { recursive: true, force: true });
});

const open = async () => openDataFolder(path);

/** Another process that holds the folder until it is killed. */
async function holdElsewhere(): Promise<ChildProcess> {
  const script = `
    import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))};
    openDataFolder(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

describe('the data folder', () => {
  test('is refused while another process holds it and free at once after that process was killed', async () => {
    holder = await holdElsewhere();
    await expect(open()).rejects.toThrow(`in use by process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const startedAt = performance.now();
    const folder = await open();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    folder.release();
  });

  test('is not taken from a process that is only asleep', async () => {
    holder = await holdElsewhere();
    holder.kill('SIGSTOP');
    await expect(open()).rejects.toThrow('in use');
  });

  test('goes to one of two processes that start at the same moment', async () => {
    const attempts = await Promise.allSettled([open(), open()]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const attempt of attempts) if (attempt.status === 'fulfilled') attempt.value.release();
  });

  test('is made for this user alone, whatever the process allows for other files', async () => {
    const umask = process.umask(0);
    try {
      const deep = join(path, 'a', 'b');
      openDataFolder(deep).release();
      expect(statSync(deep).mode & 0o777).toBe(0o700);
      expect(statSync(join(path, 'a')).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(umask);
    }
  });

  test('is narrowed if it exists with wide rights', async () => {
    chmodSync(path, 0o777);
    (await open()).release();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.runIf(process.getuid?.() === 0)('is refused if it belongs to somebody else', async () => {
    chownSync(path, 12_345, 12_345);
    await expect(open()).rejects.toThrow('belongs to another user');
  });

  test('keeps a secret once it was generated', async () => {
    const first = await open();
    const secret = first.secret('tickets');
    first.release();
    const second = await open();
    expect(second.secret('tickets')).toBe(secret);
    expect(second.secret('other')).not.toBe(secret);
    second.release();
  });
});
