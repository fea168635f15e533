import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL server with data of its own, for as long as a measurement runs. */
export type Postgres = {
  readonly url: string;
  stop(): Promise<void>;
};

export async function startPostgres(): Promise<Postgres> {
  const binaries = findBinaries();
  const owner = findOwner();
  const folder = mkdtempSync(join(tmpdir(), 'engulf-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'engulf', '--auth=trust', '--no-sync'], {
    cwd: folder,
    stdio: 'ignore',
    ...owner,
  });
  const port = await findFreePort();
  const settings = [
    'fsync=on',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    `unix_socket_directories=${folder}`,
  ];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: folder, stdio: 'ignore', ...owner },
  );
  const url = `postgres://engulf@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, server);
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/initdb')
    .map((path) => path.slice(0, -'/initdb'.length))
    .toSorted()
    .toReversed();
  if (newest === undefined) {
    throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql');
  }
  return newest;
}

/** PostgreSQL refuses to run as root; its Debian package brings a user. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} at its start`);
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
}
