import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { spawnSurfpool } from './spawn-surfpool.ts';

const RUNNING = `process.send({ kind: 'running', rpcUrl: 'http://here', wsUrl: 'ws://here' }); setInterval(() => {}, 1000);`;
/** As Surfpool does when somebody else has taken its port: its thread is never free again. */
const STUCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
const CONFIG = {
  remoteRpcUrl: 'http://origin',
  blockProductionMode: 'clock',
  slotTimeMs: 50,
  airdropSol: 0,
} as const;

let folder: string;
let forked: ReturnType<typeof fork>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-surfpool-'));
  forked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Stands for Surfpool's process; each attempt runs the next script. */
function attempts(...scripts: readonly string[]) {
  const forkProcess = () => {
    const path = join(folder, `${forked.length}.cjs`);
    writeFileSync(path, scripts[forked.length]!);
    const child = fork(path, { execArgv: [] });
    forked.push(child);
    return child;
  };
  return { forkProcess, readyWithinMs: 2_000 };
}

test('a start that never comes back, and one that ends, are followed by another', async () => {
  const net = await spawnSurfpool(CONFIG, () => {}, attempts(STUCK, 'process.exit(1)', RUNNING));
  expect(net.rpcUrl).toBe('http://here');
  expect(forked.map((child) => child.signalCode ?? child.exitCode)).toEqual(['SIGKILL', 1, null]);
  await net.stop();
  expect(forked[2]!.signalCode).toBe('SIGKILL');
});

test('gives up after four attempts', async () => {
  const dying = Array.from({ length: 4 }, () => 'process.exit(1)');
  await expect(spawnSurfpool(CONFIG, () => {}, attempts(...dying))).rejects.toThrow('did not start in 4');
});

test('a machine that cannot load it is told so at once', async () => {
  const script = `process.send({ kind: 'notLoaded', reason: 'no glibc' }); setInterval(() => {}, 1000);`;
  await expect(spawnSurfpool(CONFIG, () => {}, attempts(script))).rejects.toThrow(
    /no glibc\n.*SOLANA_RPC_URL/,
  );
  expect(forked[0]!.signalCode).toBe('SIGKILL');
});

test('an end that nobody asked for is reported, a stop is not', async () => {
  const onEnd = vi.fn();
  const net = await spawnSurfpool(CONFIG, onEnd, attempts(RUNNING));
  process.kill(forked[0]!.pid!, 'SIGKILL');
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledWith('with SIGKILL'), { timeout: 20_000 });
  await net.stop();
  const stopped = vi.fn();
  await (await spawnSurfpool(CONFIG, stopped, attempts(RUNNING, RUNNING))).stop();
  expect(stopped).not.toHaveBeenCalled();
});
