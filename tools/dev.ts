/**
 * Engulf for development on one address: Vite serves the page with hot reload and passes everything else on to the
 * server, which runs on a port of its own and restarts when a source file changes (see apps/web/vite.config.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { NODE_FLAGS } from '../apps/server/src/process-settings.mjs';
import { findFreePort } from '../packages/localnet/src/testing/free-ports.ts';

const root = join(import.meta.dirname, '..');
const host = process.env['HOST'] || '127.0.0.1';
const port = process.env['PORT'] || '3000';
const serverPort = String(await findFreePort());

const children = [
  run(
    'vite',
    ['--mode', 'embedded', '--host', host, '--port', port, '--strictPort'],
    join(root, 'apps/web'),
    {
      ENGULF_SERVER_URL: `http://127.0.0.1:${serverPort}`,
    },
  ),
  run(
    process.execPath,
    [...NODE_FLAGS, '--watch', '--watch-preserve-output', 'apps/server/src/main.ts'],
    root,
    {
      HOST: '127.0.0.1',
      PORT: serverPort,
      // The address people open. Sign-in and the origin check compare with it.
      PUBLIC_URL: process.env['PUBLIC_URL'] || `http://localhost:${port}`,
    },
  ),
];

let isAsked = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isAsked = true;
    for (const child of children) child.kill(signal);
  });
}
// Neither is useful without the other.
await Promise.race(children.map(exited));
for (const child of children) child.kill();
await Promise.all(children.map(exited));
process.exit(isAsked ? 0 : 1);

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('error', (error) => console.error(error.message));
  return child;
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}
