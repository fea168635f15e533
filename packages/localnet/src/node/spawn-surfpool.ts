import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SurfpoolReport } from './surfpool-process.ts';

export type SurfpoolProcess = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  stop(): Promise<void>;
};

export type SurfpoolConfig = {
  readonly remoteRpcUrl: string;
  readonly blockProductionMode: 'clock';
  readonly slotTimeMs: number;
  readonly airdropSol: number;
};

/** This machine cannot run the embedded chain. */
class ChainNotSupported extends Error {
  override name = 'ChainNotSupported';
}

const NATIVE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};
const REMEDY = `It runs on ${Object.keys(NATIVE_PACKAGES).join(', ')}. Elsewhere set SOLANA_RPC_URL, SOLANA_WS_URL and PROGRAM_ID to use another chain.`;
const PLATFORM = `${process.platform}-${process.arch}`;

const ATTEMPTS = 4;
/** It takes a third of a second on a machine that does nothing else. */
const START = { forkProcess, readyWithinMs: 15_000 };

/** Starts Surfpool in a process of its own, again if it does not come up. */
export async function spawnSurfpool(
  config: SurfpoolConfig,
  onEnd: (reason: string) => void,
  start = START,
): Promise<SurfpoolProcess> {
  const packageName = NATIVE_PACKAGES[PLATFORM];
  if (packageName === undefined) {
    throw new ChainNotSupported(`The embedded chain does not run on ${PLATFORM}. ${REMEDY}`);
  }
  for (let attempt = 1; ; attempt++) {
    const child = start.forkProcess(packageName, config);
    const report = await firstReport(child, start.readyWithinMs);
    if (report?.kind === 'running') {
      child.once('exit', (code, signal) => {
        if (!child.killed) onEnd(`with ${signal ?? code}`);
      });
      return { rpcUrl: report.rpcUrl, wsUrl: report.wsUrl, stop: () => end(child) };
    }
    await end(child);
    if (report?.kind === 'notLoaded') {
      // On Linux it needs glibc.
      const problem = `The embedded chain cannot be loaded on this ${PLATFORM}: ${report.reason}`;
      throw new ChainNotSupported(`${problem}\n${REMEDY}`);
    }
    if (attempt === ATTEMPTS) throw new Error(`The embedded chain did not start in ${ATTEMPTS} attempts`);
  }
}

function forkProcess(packageName: string, config: SurfpoolConfig): ChildProcess {
  const script = fileURLToPath(new URL('./surfpool-process.ts', import.meta.url));
  const child = fork(script, [packageName, JSON.stringify(config)], {
    execArgv: [],
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  // It ends with this process, so this one need not wait for it.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Undefined if it ends or says nothing in time. */
function firstReport(child: ChildProcess, withinMs: number): Promise<SurfpoolReport | undefined> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), withinMs);
    child.on('message', (message: Partial<SurfpoolReport>) => {
      // Under `node --watch` a child also reports its imports.
      if (message.kind === undefined) return;
      clearTimeout(deadline);
      resolve(message as SurfpoolReport);
    });
    child.once('exit', () => {
      clearTimeout(deadline);
      resolve(undefined);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
