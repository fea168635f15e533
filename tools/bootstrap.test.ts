import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

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

describe('dependencies', () => {
  const bootstrap = 'tools/bootstrap.mjs';
  const settings = 'apps/server/src/process-settings.mjs';
  const other = { version: '1.0.0', integrity: 'sha512-other' };
  const wanted = {
    '': { name: 'product' },
    'apps/part': { version: '0.1.0' },
    'node_modules/part': { resolved: 'apps/part', link: true },
    'node_modules/library': { version: '2.0.0', integrity: 'sha512-library' },
    'node_modules/for-another-system': { version: '1.0.0', integrity: 'sha512-system', optional: true },
  };
  const { 'node_modules/library': library, 'node_modules/part': part } = wanted;

  /** A product with that lock file, of which npm says that it has installed these; what its first start prints. */
  function start(name: string, installed: Record<string, object> | undefined): string {
    const product = join(folder, name);
    const write = (path: string, content: string, mode?: number) => {
      mkdirSync(join(product, path, '..'), { recursive: true });
      writeFileSync(join(product, path), content, { mode });
    };
    for (const path of [bootstrap, settings]) cpSync(join(root, path), join(product, path));
    write('package-lock.json', JSON.stringify({ packages: wanted }));
    write('script.mjs', `console.log('started');`);
    write('bin/npm', '#!/bin/sh\necho "npm $1"\n', 0o755);
    if (installed) write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
    return spawnSync(process.execPath, [join(product, bootstrap), 'script.mjs'], {
      env: { ...process.env, PATH: `${join(product, 'bin')}${delimiter}${process.env['PATH']}` },
      encoding: 'utf8',
    }).stdout;
  }

  test.each([
    ['nothing is there', undefined],
    ['a package is missing', { 'node_modules/part': part }],
    ['a package is another one', { 'node_modules/part': part, 'node_modules/library': other }],
  ])('are installed when %s', (name, installed) => {
    expect(start(name, installed)).toMatch(/npm ci\nstarted\n$/);
  });

  test('that npm ci has installed by hand are not installed again', () => {
    const installed = { 'node_modules/part': part, 'node_modules/library': library };
    expect(start('by hand', installed)).toBe('started\n');
  });
});
