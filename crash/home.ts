import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Localnet, startLocalnet } from '@engulf/localnet/start-localnet';
import { findFreePort, findFreePorts } from '@engulf/localnet/testing/free-ports';
import { startServerProcess } from '@engulf/trials/server-process';
import { BUSY_RULES } from './busy-rules.ts';

/** Blocks come quickly, so that transactions expire within a run. */
const SLOT_MS = 50;

/** The database and the chain of a run. They outlive every server. */
export type Home = {
  readonly folder: string;
  readonly chain: Localnet;
  readonly url: string;
  /** Resolves when the server listens, or to false if it ended before that. */
  startServer(options: ServerOptions, onSpawned: (child: ChildProcess) => void): Promise<boolean>;
  accessCode(): string;
  dispose(): Promise<void>;
};

type ServerOptions = { readonly rpcUrl: string; readonly roomProcesses: number };

const MUTANTS = fileURLToPath(new URL('mutants.mjs', import.meta.url));

/** `mutant` names a fault that its servers have (mutants.mjs). */
export async function createHome(mutant?: string): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-crash-'));
  const chainPorts = await findFreePorts();
  const port = await findFreePort();
  const start = (environment: Record<string, string>, onSpawned?: (child: ChildProcess) => void) => {
    const shared = {
      ENGULF_DATA_DIR: folder,
      PORT: String(port),
      RATE_LIMIT_SCALE: '1000',
      ARENA_RULES: JSON.stringify(BUSY_RULES),
      ...(mutant !== undefined && { NODE_OPTIONS: `--import ${MUTANTS}`, ENGULF_MUTANT: mutant }),
    };
    return startServerProcess({
      environment: { ...shared, ...environment },
      ...(onSpawned && { onSpawned }),
    });
  };
  // A first start with everything embedded creates the tables, the chain and the lobbies on it.
  const first = await start({
    LOCALNET_RPC_PORT: String(chainPorts.rpcPort),
    LOCALNET_WS_PORT: String(chainPorts.wsPort),
    LOCALNET_SLOT_MS: String(SLOT_MS),
  });
  await first.kill('SIGINT');
  const chain = await startLocalnet({
    dataDir: join(folder, 'chain'),
    ...chainPorts,
    slotTimeMs: SLOT_MS,
    programSoPath: fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')),
  });
  return {
    folder,
    chain,
    url: `http://localhost:${port}`,
    accessCode: () => first.accessCode,
    startServer: async ({ rpcUrl, roomProcesses }, onSpawned) => {
      const environment = {
        SOLANA_RPC_URL: rpcUrl,
        ROOM_PROCESSES: String(roomProcesses),
        SOLANA_WS_URL: chain.wsUrl,
        PUBLIC_SOLANA_RPC_URL: chain.rpcUrl,
        PROGRAM_ID: chain.programId,
        SUPER_ADMIN_KEYPAIR: readFileSync(join(folder, 'chain/keys/super-admin.json'), 'utf8'),
        PAYOUT_KEYPAIR: readFileSync(join(folder, 'chain/keys/payout-key.json'), 'utf8'),
        ANCHOR_KEYPAIR: readFileSync(join(folder, 'chain/keys/anchor.json'), 'utf8'),
      };
      return start(environment, onSpawned).then(
        () => true,
        () => false,
      );
    },
    dispose: async () => {
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
