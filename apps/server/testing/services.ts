import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@engulf/localnet/testing/free-ports';
import pg from 'pg';

/** A real server of its own, on loopback. Its data and its port outlive its process. */
export type Service = {
  readonly url: string;
  readonly pid: number;
  start(): Promise<void>;
  end(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  dispose(): Promise<void>;
};

const START_WITHIN_MS = 30_000;

export async function startRedis(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-redis-'));
  const port = await findFreePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = createService(port, `redis://127.0.0.1:${port}`, folder, () =>
    spawn('redis-server', options, { stdio: 'ignore' }),
  );
  await redis.start();
  return redis;
}

/** By default its data survives its own death, but not the machine's. */
const POSTGRES_SETTINGS: readonly string[] = ['fsync=off'];

/** PostgreSQL refuses to run as root; for root it runs as the user of its Debian package. */
export async function startPostgres(settings = POSTGRES_SETTINGS): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-postgres-'));
  const port = await findFreePort();
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initialise = ['-D', data, '-U', 'engulf', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(programOf('initdb'), initialise, { ...user, cwd: folder, stdio: 'ignore' });
  const options = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'];
  options.push(...settings.flatMap((setting) => ['-c', setting]));
  const url = `postgres://engulf@127.0.0.1:${port}/postgres`;
  const run = () => spawn(programOf('postgres'), options, { ...user, cwd: folder, stdio: 'ignore' });
  const postgres = createService(port, url, folder, run, () => takesConnections(url));
  await postgres.start();
  return postgres;
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

/** Tests that need the program are skipped on a machine without it, but never in CI. */
export function isMissing(program: 'redis-server' | 'postgres'): boolean {
  if (process.env['CI']) return false;
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/lib/postgresql/*/bin'];
  return globSync(folders.map((folder) => join(folder, program))).length === 0;
}

/** Debian keeps them out of the path, one folder for each version. */
function programOf(name: string): string {
  return globSync(`/usr/lib/postgresql/*/bin/${name}`).at(-1) ?? name;
}

/** Child processes are killed when this process exits. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export function endWithUs(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** It listens before it is ready. */
async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  return client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}

/** Anything that listens on one port. */
export function createService(
  port: number,
  url: string,
  folder: string,
  spawnService: () => ChildProcess,
  isReady: () => Promise<boolean> = () => isListening(port),
): Service {
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGKILL' | 'SIGINT') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    get pid() {
      return child!.pid!;
    },
    start: async () => {
      let failure: Error | undefined;
      const run = () => {
        child = endWithUs(spawnService());
        child.once('error', (error) => {
          failure = error;
        });
      };
      run();
      const deadlineMs = Date.now() + START_WITHIN_MS;
      while (!(await isReady())) {
        if (failure) throw failure;
        if (Date.now() > deadlineMs) throw new Error(`${url} did not start`);
        // A killed PostgreSQL refuses to start until the last of its backends has noticed.
        if (child!.exitCode !== null) run();
        await sleep(50);
      }
    },
    end,
    dispose: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
