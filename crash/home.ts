import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Localnet, startLocalnet } from '@engulf/localnet/start-localnet';
import { findFreePort, findFreePorts } from '@engulf/localnet/testing/free-ports';
import { BUSY_RULES } from './busy-rules.ts';

const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url));
/** Blocks come quickly, so that transactions expire within a run. */
const SLOT_MS = 50;
const START_TIMEOUT_MS = 180_000;

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

export async function createHome(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-crash-'));
  const chainPorts = await findFreePorts();
  const port = await findFreePort();
  let accessCode = '';
  const start = (environment: Record<string, string>): ChildProcess => {
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        ENGULF_DATA_DIR: folder,
        PORT: String(port),
        RATE_LIMIT_SCALE: '1000',
        ARENA_RULES: JSON.stringify(BUSY_RULES),
        ...environment,
      },
    });
  };
  // A first start with everything embedded creates the tables, the chain and the lobbies on it.
  const first = start({
    LOCALNET_RPC_PORT: String(chainPorts.rpcPort),
    LOCALNET_WS_PORT: String(chainPorts.wsPort),
    LOCALNET_SLOT_MS: String(SLOT_MS),
  });
  accessCode = await untilListening(first);
  await end(first, 'SIGINT');
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
    accessCode: () => accessCode,
    startServer: async ({ rpcUrl, roomProcesses }, onSpawned) => {
      const child = start({
        SOLANA_RPC_URL: rpcUrl,
        ROOM_PROCESSES: String(roomProcesses),
        SOLANA_WS_URL: chain.wsUrl,
        PUBLIC_SOLANA_RPC_URL: chain.rpcUrl,
        PROGRAM_ID: chain.programId,
        SUPER_ADMIN_KEYPAIR: readFileSync(join(folder, 'chain/keys/super-admin.json'), 'utf8'),
      });
      onSpawned(child);
      return untilListening(child).then(
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

export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Resolves to the access code that the server prints. */
function untilListening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`The server ${reason}:\n${output}`));
    };
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/Stop with/.test(output)) return;
      clearTimeout(timer);
      resolve(/Access code\s+(\S+)/.exec(output)?.[1] ?? '');
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}
