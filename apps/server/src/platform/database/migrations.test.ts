import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../../drizzle.config.ts';

const workspace = join(import.meta.dirname, '../../..');

test('the migrations make the tables that the code describes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-migrations-'));
  try {
    const copy = join(folder, 'migrations');
    cpSync(join(workspace, 'migrations'), copy, { recursive: true });
    const before = readdirSync(copy);
    const schema = [config.schema ?? []].flat().map((path) => join(workspace, path));
    writeFileSync(join(folder, 'drizzle.config.json'), JSON.stringify({ ...config, schema }));
    const { stdout, stderr } = spawnSync(
      join(workspace, '../../node_modules/.bin/drizzle-kit'),
      ['generate', '--config=drizzle.config.json'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stdout + stderr).toContain('No schema changes');
    expect(readdirSync(copy)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
