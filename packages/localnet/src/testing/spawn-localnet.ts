import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';

export type SpawnedLocalnet = {
  readonly programId: Address;
  readonly treasury: Address;
  /** SIGKILL: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
};

export type LocalnetPlace = {
  readonly dataDir: string;
  readonly rpcPort: number;
  readonly wsPort: number;
};

export async function spawnLocalnet(place: LocalnetPlace): Promise<SpawnedLocalnet> {
  const child = spawnProcess(place);
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The localnet process ended with ${code} before it was ready`);
  });
  const ready = once(createInterface({ input: child.stdout! }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([ready, exited]);
  exited.catch(() => {});
  return {
    ...(JSON.parse(line) as Pick<SpawnedLocalnet, 'programId' | 'treasury'>),
    kill: () => kill(child),
  };
}

/** Kills it after `afterMs`, whatever it is doing then. */
export async function spawnAndKill(place: LocalnetPlace, afterMs: number): Promise<void> {
  const child = spawnProcess(place);
  await new Promise((done) => setTimeout(done, afterMs));
  await kill(child);
}

function spawnProcess({ dataDir, rpcPort, wsPort }: LocalnetPlace): ChildProcess {
  const script = fileURLToPath(new URL('./localnet-process.ts', import.meta.url));
  return spawn(process.execPath, [script, dataDir, String(rpcPort), String(wsPort)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test' },
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
