import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The one way in which a test, a trial or a benchmark starts the server as a process. */

/** Loading the source is a third of a start, so all processes share what was compiled. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'engulf-compiled') };

/**
 * In a test, V8 compiles the embedded database once and does not optimise it: that takes two of the eight seconds of a core
 * that a start costs, more than the few queries of a test win back. Trials and benchmarks run what players get.
 */
const FLAGS = ['--disable-warning=ExperimentalWarning', ...(process.env['VITEST'] ? ['--liftoff-only'] : [])];

const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url));
const START_WITHIN_MS = 180_000;

export type ServerProcess = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  /** Empty if the process has given out none, as a signer. */
  readonly accessCode: string;
  /** Resolves to the exit code when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
};

type StartOptions = {
  /** All that the process has besides PATH and what was compiled. */
  readonly environment: Readonly<Record<string, string>>;
  /** What is run instead of the server's own main file, from the folder of the repository. */
  readonly script?: string;
  /** Called before the server is up. */
  readonly onSpawned?: (child: ChildProcess) => void;
};

/** Resolves when the server listens. Rejects with what it printed if it ends before that. */
export async function startServerProcess(options: StartOptions): Promise<ServerProcess> {
  const { environment, script = MAIN, onSpawned } = options;
  const child = spawn(process.execPath, [...FLAGS, script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...COMPILED, ...environment },
  });
  onSpawned?.(child);
  const output = await untilListening(child);
  return {
    child,
    pid: child.pid!,
    url: /runs at\s+(\S+)/.exec(output)?.[1] ?? '',
    accessCode: /Access code\s+(\S+)/.exec(output)?.[1] ?? '',
    kill: (signal) => endProcess(child, signal),
  };
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Resolves to what was printed; how to stop it is the last thing. */
function untilListening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`The server ${reason}:\n${output}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), START_WITHIN_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('Stop with')) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}
