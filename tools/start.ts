/** Builds the page if its sources changed, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { restartWithSettings } from '../apps/server/src/process-settings.mjs';

const root = join(import.meta.dirname, '..');
/** Far more than a build takes on a slow machine. */
const BUILD_WITHIN_MS = 600_000;
const stampFile = join(root, 'apps/web/dist/.built-from');

/** Everything that ends up in the page. */
const SOURCES = [
  'apps/web/{*.html,*.ts,package.json}',
  'apps/web/.env*',
  'apps/web/{src,public}/**/*.*',
  'packages/{card,domain,sim,netcode,protocol,chain,verify}/src/**/*.ts',
  'packages/card/avatars/*.svg',
  'package-lock.json',
  'tools/start.ts',
];

restartWithSettings();
// Of several processes only those that serve the page need it.
if (/api/.test(process.env['ENGULF_ROLES'] || 'api')) {
  buildWebIfStale(process.env['NODE_ENV'] === 'production' ? 'production' : 'embedded');
}
await import('../apps/server/src/main.ts');

/** What a build needs to find its programs, and what it puts into the page. */
function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNeeded = (name: string) => /^(PATH|HOME|TMPDIR|TEMP|SystemRoot|NODE_OPTIONS|VITE_.*)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isNeeded(name)));
}

/** The embedded page offers the burner wallet; the production page does not contain it. */
function buildWebIfStale(mode: 'embedded' | 'production'): void {
  const sourceHash = `${mode} ${hashSources()}`;
  const isBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash;
  if (isBuilt()) return;
  const release = takeLock();
  try {
    // Another process may have built it meanwhile.
    if (!isBuilt()) buildWeb(mode, sourceHash);
  } finally {
    release();
  }
}

/** One process builds while the others wait. The system releases the lock of a process that dies. */
function takeLock(): () => void {
  const lock = new DatabaseSync(join(root, 'node_modules/.page-build-lock'), { timeout: BUILD_WITHIN_MS });
  lock.exec('begin exclusive');
  return () => lock.close();
}

function buildWeb(mode: 'embedded' | 'production', sourceHash: string): void {
  console.log('▸ Building the page…');
  const startedAt = performance.now();
  const { status, error, stdout, stderr } = spawnSync(
    'npm',
    ['run', mode === 'embedded' ? 'build:embedded' : 'build'],
    {
      cwd: join(root, 'apps/web'),
      // No secret of ours. And whoever starts us: under a test runner React would be its slow development build.
      env: { ...withoutSecrets(process.env), NODE_ENV: 'production' },
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
