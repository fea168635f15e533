import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(root, 'node_modules/.engulf-bootstrap-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script of that name through the bootstrap; it prints where it keeps compiled code. */
function cacheOf(name: string): unknown {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(
    path,
    `import { getCompileCacheDir } from 'node:module';\nconsole.log(JSON.stringify({ folder: getCompileCacheDir() }));`,
  );
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['tools/bootstrap.mjs', relative(root, path)], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout).folder;
}

test('what a script compiles is kept for its next start', () => {
  expect(cacheOf('script.mjs')).toContain(join('node_modules', '.cache', 'engulf'));
});

test('tests compile everything themselves, for exact coverage', () => {
  expect(cacheOf('vitest/script.mjs')).toBeUndefined();
});
