import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const workspace = join(import.meta.dirname, '../../..');

test('the migrations make the tables that the code describes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-migrations-'));
  try {
    const copy = join(folder, 'migrations');
    cpSync(join(workspace, 'migrations'), copy, { recursive: true });
    const before = readdirSync(copy);
    const { stdout, stderr } = spawnSync(
      join(workspace, '../../node_modules/.bin/drizzle-kit'),
      [
        'generate',
        '--dialect=postgresql',
        '--casing=snake_case',
        '--out=./migrations',
        `--schema=${join(workspace, 'src/platform/database/{people,games,money,operations,social}.ts')}`,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stdout + stderr).toContain('No schema changes');
    expect(readdirSync(copy)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
