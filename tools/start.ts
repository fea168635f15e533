/** Builds the page if its sources changed, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restartWithSettings } from '../apps/server/src/process-settings.mjs';

const root = join(import.meta.dirname, '..');
const stampFile = join(root, 'apps/web/dist/.built-from');

/** Everything that ends up in the page. */
const SOURCES = [
  'apps/web/{*.html,vite.config.ts,compress-build.ts,package.json}',
  'apps/web/.env*',
  'apps/web/{src,public}/**/*.*',
  'packages/{card,domain,sim,netcode,protocol,chain,verify}/src/**/*.ts',
  'packages/card/avatars/*.svg',
  'package-lock.json',
  'tools/start.ts',
];

restartWithSettings();
buildWebIfStale(process.env['NODE_ENV'] === 'production' ? 'production' : 'embedded');
await import('../apps/server/src/main.ts');

/** The embedded page offers the burner wallet; the production page does not contain it. */
function buildWebIfStale(mode: 'embedded' | 'production'): void {
  const sourceHash = `${mode} ${hashSources()}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash) return;
  console.log('▸ Building the page…');
  const startedAt = performance.now();
  const { status, error, stdout, stderr } = spawnSync(
    'npm',
    ['run', mode === 'embedded' ? 'build:embedded' : 'build'],
    {
      cwd: join(root, 'apps/web'),
      // Whoever starts us: under a test runner React would be its slow development build.
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  if (error) throw error;
  if (status !== 0) {
    console.error(stdout + stderr);
    throw new Error('The page could not be built');
  }
  writeFileSync(stampFile, sourceHash);
  console.log(`  built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    if (path.endsWith('.test.ts') || path.endsWith('.test.tsx')) continue;
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}
