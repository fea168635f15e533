import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeTestChain } from '@engulf/localnet/testing/chain-template';
import { findFreePorts } from '@engulf/localnet/testing/free-ports';
import { placeTestDatabase } from './test-database.ts';

export type ServerProcess = {
  readonly pid: number;
  readonly url: string;
  /** Empty for a signer. */
  readonly accessCode: string;
  kill(signal: 'SIGKILL' | 'SIGINT'): Promise<number | null>;
};

export type ServerHome = {
  /** The data folder. */
  readonly folder: string;
  /** What a process on this home has in its environment. */
  readonly environment: Record<string, string>;
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  dispose(): Promise<void>;
};

const START_TIMEOUT_MS = 100_000;

/** The real server in its own process, on a data folder that outlives it. */
export async function createServerHome(): Promise<ServerHome> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-home-'));
  const { rpcPort, wsPort } = await findFreePorts();
  const { rpcPort: port } = await findFreePorts();
  const children = new Set<ChildProcess>();
  const shared = {
    PATH: process.env['PATH'] ?? '',
    ENGULF_DATA_DIR: folder,
    PORT: String(port),
    LOCALNET_RPC_PORT: String(rpcPort),
    LOCALNET_WS_PORT: String(wsPort),
    LOCALNET_SLOT_MS: '50',
    LOCALNET_FINALITY_SLOTS: '2',
    RATE_LIMIT_SCALE: '100',
    // Compiling the source is a third of what a process costs until it is up.
    NODE_COMPILE_CACHE: join(tmpdir(), 'engulf-compiled'),
  };
  return {
    folder,
    environment: shared,
    start: async (environment = {}) => {
      if (environment['ENGULF_ROLES'] !== 'signer') await placeData(folder);
      const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...shared, ...environment },
      });
      children.add(child);
      const output = await readUntilOpen(child);
      return {
        pid: child.pid!,
        url: /runs at\s+(\S+)/.exec(output)![1]!,
        accessCode: /Access code\s+(\S+)/.exec(output)?.[1] ?? '',
        kill: async (signal) => {
          const exited = once(child, 'exit');
          child.kill(signal);
          const [code] = await exited;
          children.delete(child);
          return code as number | null;
        },
      };
    },
    dispose: async () => {
      for (const child of children) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An empty database and a chain that is set up, unless a process before has left others. */
async function placeData(folder: string): Promise<void> {
  const [database, chain] = [join(folder, 'database'), join(folder, 'chain')];
  if (!existsSync(database)) await placeTestDatabase(database);
  if (!existsSync(chain)) await placeTestChain(chain);
}

function readUntilOpen(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`The server did not start:\n${output}`)),
      START_TIMEOUT_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/Stop with/.test(output)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}:\n${output}`));
    });
  });
}
