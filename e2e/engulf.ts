import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { placeTestChain } from '@engulf/localnet/testing/chain-template';
import { findFreePort, findFreePorts } from '@engulf/localnet/testing/free-ports';
import { placeTestDatabase } from '@engulf/server/testing/test-database';
import { COMPILED, startServerProcess } from '@engulf/trials/server-process';

/** A complete Engulf with its own data: the real server, database and chain in a process that a test may kill. */
export type Engulf = {
  readonly url: string;
  readonly rpcUrl: string;
  readonly accessCode: string;
  readonly dataDir: string;
  readonly ports: { readonly port: number; readonly rpcPort: number; readonly wsPort: number };
  stop(): Promise<void>;
  /** SIGKILL, as when the machine dies. */
  kill(): Promise<void>;
};

type EngulfOptions = {
  /** What `npm start` or `npm run dev` runs. */
  readonly script?: 'tools/start.ts' | 'tools/dev.ts';
  /** Overrides of the arena's rules, in the form of the ARENA_RULES variable. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Raises the limits per address, where many players share one. */
  readonly limitScale?: number;
  /** How many of the cases put forward may be of honest players. */
  readonly falseDiscoveryPct?: number;
  /** Continues with the data and the ports of a process that has ended. */
  readonly after?: Engulf;
};

export async function startEngulf(options: EngulfOptions = {}): Promise<Engulf> {
  const { script = 'tools/start.ts', rules = {}, limitScale = 1, falseDiscoveryPct = 1, after } = options;
  const dataDir = after?.dataDir ?? mkdtempSync(join(tmpdir(), 'engulf-e2e-'));
  // As `npm run dev` is started, it makes its database and its chain itself.
  if (!after && script === 'tools/start.ts') {
    await placeTestDatabase(join(dataDir, 'database'));
    await placeTestChain(join(dataDir, 'chain'));
  }
  const ports = after?.ports ?? { port: await findFreePort(), ...(await findFreePorts()) };
  const server = await startServerProcess({
    script,
    environment: {
      PORT: String(ports.port),
      LOCALNET_RPC_PORT: String(ports.rpcPort),
      LOCALNET_WS_PORT: String(ports.wsPort),
      ENGULF_DATA_DIR: dataDir,
      ARENA_RULES: JSON.stringify(rules),
      LOCALNET_SLOT_MS: '150',
      LOCALNET_FINALITY_SLOTS: '2',
      RATE_LIMIT_SCALE: String(limitScale),
      INTEGRITY_FALSE_DISCOVERY_PCT: String(falseDiscoveryPct),
    },
  });
  return {
    url: `http://localhost:${ports.port}`,
    rpcUrl: `http://127.0.0.1:${ports.rpcPort}`,
    accessCode: server.accessCode,
    dataDir,
    ports,
    stop: async () => void (await server.kill('SIGTERM')),
    kill: async () => void (await server.kill('SIGKILL')),
  };
}

const run = promisify(execFile);

/** The operator's tool, in a process of its own. */
export async function operate({ dataDir }: Engulf, ...argv: readonly string[]): Promise<void> {
  const tool = join(import.meta.dirname, '../apps/server/src/admin/main.ts');
  const env = { ...process.env, ...COMPILED, ENGULF_DATA_DIR: dataDir };
  await run(process.execPath, [tool, ...argv, '--reason', 'test'], { env });
}

/** What the operator's tool answers, as JSON. */
export async function ask<Answer>({ dataDir }: Engulf, ...argv: readonly string[]): Promise<Answer> {
  const tool = join(import.meta.dirname, '../apps/server/src/admin/main.ts');
  const env = { ...process.env, ...COMPILED, ENGULF_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [tool, ...argv, '--json'], { env });
  return JSON.parse(stdout) as Answer;
}

/** Deletes its data. What is still being written to it when a test fails must not hide that. */
export function forget(engulf: Engulf): void {
  rmSync(engulf.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
