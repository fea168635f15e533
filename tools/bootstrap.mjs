// Runs `node tools/bootstrap.mjs script.ts [arguments]` on a machine that has only Node 20 and npm:
// installs the locked dependencies when they are missing or stale, then runs the script with Node 24, which is one
// of the dependencies. Uses built-in modules only, because nothing may be installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT, NODE_FLAGS } from '../apps/server/src/process-settings.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const binFolder = join(root, 'node_modules', '.bin');

installIfStale();
runScript(process.argv[2], process.argv.slice(3));

function installIfStale() {
  if (isInstalled()) return;

  console.log('Installing dependencies (about a minute the first time)…');
  const { status, error } = spawnSync('npm', ['ci'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: pathWithoutBinFolder() },
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(
      'The install failed; the lines above say why. It needs the npm registry once, so a network, and about 1.1 GB of ' +
        'disk. Run the same command again to retry.',
    );
    process.exit(1);
  }
}

/** Whether what npm says it has installed, by us or by hand, is what the lock file names. */
function isInstalled() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // What other systems need is left out.
    return found ? found.integrity === wanted.integrity : wanted.optional === true;
  });
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** Forwards signals to the script and exits with its code. */
function runScript(script, scriptArguments) {
  const bundledNode = join(binFolder, 'node');
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  if (node === process.execPath && !isRecentEnough(process.versions.node)) {
    console.error(`Engulf needs Node 22.18 or newer on this platform; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const { NODE_COMPILE_CACHE, ...memory } = ENVIRONMENT;
  const child = spawn(node, [...NODE_FLAGS, join(root, script), ...scriptArguments], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...memory,
      // Tests do without, because what they report as covered would be less exact.
      ...(!script.includes('vitest') && { NODE_COMPILE_CACHE }),
      ...process.env,
      PATH: `${binFolder}${delimiter}${pathWithoutBinFolder()}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    throw error;
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** npm puts the bin folder first on PATH, but the install must not run on the Node that it is about to replace. */
function pathWithoutBinFolder() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => resolve(entry) !== binFolder)
    .join(delimiter);
}

function isRecentEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}
