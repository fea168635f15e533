import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A whole Engulf of its own: the real server, database and chain in a process that a test may kill. */
export type Engulf = {
  readonly url: string;
  readonly rpcUrl: string;
  readonly accessCode: string;
  readonly dataDir: string;
  readonly ports: Ports;
  stop(): Promise<void>;
  /** SIGKILL, as when the machine dies. */
  kill(): Promise<void>;
};

type Ports = { readonly http: number; readonly rpc: number; readonly ws: number };

export type EngulfOptions = {
  /** Overrides of the arena's rules, as the ARENA_RULES variable takes them. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** The state of an earlier process, to start from again. */
  readonly after?: Engulf;
};

export async function startEngulf({ rules = {}, after }: EngulfOptions = {}): Promise<Engulf> {
  const dataDir = after?.dataDir ?? mkdtempSync(join(tmpdir(), 'engulf-e2e-'));
  const ports = after?.ports ?? (await freePorts());
  const child = spawn(process.execPath, ['tools/start.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(ports.http),
      LOCALNET_RPC_PORT: String(ports.rpc),
      LOCALNET_WS_PORT: String(ports.ws),
      ENGULF_DATA_DIR: dataDir,
      ARENA_RULES: JSON.stringify(rules),
      LOCALNET_SLOT_MS: '150',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const accessCode = await readAccessCode(child);
  return {
    url: `http://localhost:${ports.http}`,
    rpcUrl: `http://127.0.0.1:${ports.rpc}`,
    accessCode,
    dataDir,
    ports,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

export function forget(engulf: Engulf): void {
  rmSync(engulf.dataDir, { recursive: true, force: true });
}

/** The start has come to its end when the address and the access code are printed. */
function readAccessCode(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const code = /Access code\s+(\S+)/.exec(output)?.[1];
      if (code !== undefined && output.includes('Stop with')) resolve(code);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (status) =>
      reject(new Error(`Engulf ended with ${status} while starting:\n${output}`)),
    );
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

async function freePorts(): Promise<Ports> {
  return { http: await freePort(), rpc: await freePort(), ws: await freePort() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
