import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, findFreePorts } from '@engulf/localnet/testing/free-ports';
import { childrenOf, cpuMsOf } from '@engulf/trials/process-usage';

type StartFigures = {
  /** From the command to an answer with the page. */
  readonly pageMs: number;
  /** Until a lobby can be entered. */
  readonly playableMs: number;
  /** Processor time of the server by then, all its threads. */
  readonly cpuMs: number;
};

export type Home = {
  readonly url: string;
  /** Known after the first start. */
  accessCode(): string;
  /** Starts the server as `npm start` does. */
  start(): Promise<StartFigures>;
  /** Resolves when it has ended in good order. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '../..');
const LOOK_EVERY_MS = 10;
/** The first start also builds the page, perhaps on a busy machine. */
const GIVE_UP_AFTER_MS = 300_000;

/** A data folder, and a server that is started on it again and again. Linux only. */
export async function createHome(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-start-'));
  const [port, { rpcPort, wsPort }] = [await findFreePort(), await findFreePorts()];
  const url = `http://localhost:${port}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    LOCALNET_RPC_PORT: String(rpcPort),
    LOCALNET_WS_PORT: String(wsPort),
    ENGULF_DATA_DIR: folder,
  };
  let child: ChildProcess | undefined;
  let printed = '';
  const stop = async () => {
    const ended = child && once(child, 'exit');
    child?.kill('SIGTERM');
    child = undefined;
    await ended;
  };
  return {
    url,
    accessCode: () => /Access code\s+(\S+)/.exec(printed)?.[1] ?? '',
    start: async () => {
      const startedMs = performance.now();
      const sinceStartMs = () => Math.round(performance.now() - startedMs);
      child = spawn(process.execPath, ['tools/bootstrap.mjs', 'tools/start.ts'], {
        cwd: ROOT,
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      child.stdout!.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      const failed = once(child, 'exit').then(([code]) => {
        throw new Error(`The server ended with ${code}`);
      });
      failed.catch(() => undefined);
      await Promise.race([failed, until(() => isPageThere(url))]);
      const pageMs = sinceStartMs();
      await Promise.race([failed, until(() => isLobbyOpen(url))]);
      return { pageMs, playableMs: sinceStartMs(), cpuMs: cpuMsOf(childrenOf(child.pid!)[0]!) };
    },
    stop,
    dispose: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + GIVE_UP_AFTER_MS;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > endMs) throw new Error('The server did not start');
    await sleep(LOOK_EVERY_MS);
  }
}

async function isPageThere(url: string): Promise<boolean> {
  const answer = await fetch(url);
  return answer.ok && (await answer.text()).includes('<div id="root">');
}

/** Asks as the page's menu does, but by long polling: one of the lobbies has a room that runs. */
async function isLobbyOpen(url: string): Promise<boolean> {
  const open = `${url}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await readText(open)).slice(1));
  const session = `${open}&sid=${sid}`;
  const send = (body: string) => fetch(session, { method: 'POST', body });
  await send('40');
  await readText(session);
  await send('42["register","anonymous"]');
  for (;;) {
    const packets = (await readText(session)).split('\u001e');
    const lobbies = packets.find((packet) => packet.startsWith('42["lobby",'));
    if (!lobbies) continue;
    await send('1');
    const [, list] = JSON.parse(lobbies.slice(2)) as [string, { isActive: boolean; isLocked: boolean }[]];
    return list.some(({ isActive, isLocked }) => isActive && !isLocked);
  }
}

async function readText(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
}
