import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeTestChain } from '@engulf/localnet/testing/chain-template';
import { findFreePorts } from '@engulf/localnet/testing/free-ports';
import { placeTestDatabase } from '@engulf/server/testing/test-database';
import { endProcess, type ServerProcess, startServerProcess } from './server-process.ts';

export type ServerHome = {
  /** The data folder. */
  readonly folder: string;
  /** What a process on this home has in its environment. */
  readonly environment: Record<string, string>;
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  dispose(): Promise<void>;
};

/** The real server in its own process, on a data folder that outlives it. */
export async function createServerHome(): Promise<ServerHome> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-home-'));
  const { rpcPort, wsPort } = await findFreePorts();
  const { rpcPort: port } = await findFreePorts();
  const children = new Set<ChildProcess>();
  const shared = {
    ENGULF_DATA_DIR: folder,
    PORT: String(port),
    LOCALNET_RPC_PORT: String(rpcPort),
    LOCALNET_WS_PORT: String(wsPort),
    LOCALNET_SLOT_MS: '50',
    LOCALNET_FINALITY_SLOTS: '2',
    RATE_LIMIT_SCALE: '100',
  };
  return {
    folder,
    environment: shared,
    start: async (environment = {}) => {
      if (environment['ENGULF_ROLES'] !== 'signer') await placeData(folder);
      return startServerProcess({
        environment: { ...shared, ...environment },
        onSpawned: (child) => children.add(child),
      });
    },
    dispose: async () => {
      for (const child of children) await endProcess(child, 'SIGKILL');
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
