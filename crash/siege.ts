import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '@engulf/trials/process-usage';
import { endProcess } from '@engulf/trials/server-process';
import { type CheckedMatches, checkMatches } from './check-matches.ts';
import { startFaultProxy } from './fault-proxy.ts';
import type { Home } from './home.ts';
import type { Page } from './page.ts';
import type { Random } from './random.ts';

/** A server that is killed and restarted until the time is over, on a node that misbehaves. */
export type Siege = {
  describe(): string;
  figures(): Record<string, number>;
  /** Resolves to the seconds after which everybody had their money, and to what is wrong with the matches. */
  liftAndSettle(pages: readonly Page[]): Promise<{ readonly liftedAt: Date } & CheckedMatches>;
};

/** Long enough for players to pay, meet and eat each other in between. */
const KILL_EVERY_MS = [12_000, 30_000] as const;
/** On a busy machine nobody would get in between two kills. */
const KILL_DURING_START = 0.3;
/** How often the room processes, if there are any, are killed instead of the server. */
const ROOMS_ONLY = 0.4;
/** How likely a kill is around such a request of the server to its node. */
const KILL_AT: { readonly [method: string]: number } = {
  sendTransaction: 0.2,
  simulateTransaction: 0.1,
  getSignatureStatuses: 0.02,
  getTransaction: 0.02,
};
/** After a start matches are committed on the chain, and few players get in if that is cut off. */
const COMMITTING_MS = 8_000;
const KILL_WHILE_COMMITTING = 0.15;
/**
 * A payment that could not be read is tried again up to 80 seconds later, after a siege of a minute. The seat that it then
 * gets is free again, like every unused one, after two minutes more.
 */
const LAST_TIMEOUT_S = 230;
const MAX_SETTLE_S = 360;

export async function startSiege(
  home: Home,
  random: Random,
  /** Nobody kills it any more, so that lives end as they do on a good day. */
  isCalm: () => boolean,
  isOver: () => boolean,
): Promise<Siege> {
  let server: ChildProcess | undefined;
  let kills = 0;
  let roomKills = 0;
  let isOpen = false;
  let openedMs = 0;
  const canKill = () => server && server.exitCode === null && server.signalCode === null && !isCalm();
  const kill = () => {
    if (!canKill()) return;
    kills++;
    server!.kill('SIGKILL');
  };
  const killRooms = () => {
    for (const pid of canKill() ? childrenOf(server!.pid!) : []) {
      roomKills++;
      process.kill(pid, 'SIGKILL');
    }
  };
  const proxy = await startFaultProxy(home.chain.rpcUrl, random, (method) => {
    const isCommitting = !isOpen || Date.now() - openedMs < COMMITTING_MS;
    if (random.chance((KILL_AT[method] ?? 0) * (isCommitting ? KILL_WHILE_COMMITTING : 1))) kill();
  });

  async function keepRunning(): Promise<void> {
    while (!isOver()) {
      // A start fails if the server is killed during it.
      const roomProcesses = Math.floor(random.between(0, 3));
      const started = await home.startServer({ rpcUrl: proxy.url, roomProcesses }, (child) => {
        server = child;
      });
      isOpen = started;
      openedMs = Date.now();
      if (started) await new Promise((resolve) => server!.once('exit', resolve));
      isOpen = false;
    }
  }
  async function killNowAndThen(): Promise<void> {
    while (!isCalm()) {
      await sleep(random.between(...KILL_EVERY_MS));
      if (!isOpen && !random.chance(KILL_DURING_START)) continue;
      if (random.chance(ROOMS_ONLY)) killRooms();
      else kill();
    }
  }
  const besieged = Promise.all([keepRunning(), killNowAndThen()]);

  return {
    describe: () =>
      `${kills} kills, ${roomKills} of rooms, ${proxy.faults.count} faults of the node, now ${proxy.weather.climate.kind}`,
    figures: () => ({ kills, roomKills, nodeFaults: proxy.faults.count }),
    liftAndSettle: async (pages) => {
      proxy.weather.calm();
      if (server) await endProcess(server, 'SIGKILL');
      await besieged;
      await home.startServer({ rpcUrl: proxy.url, roomProcesses: 0 }, (child) => {
        server = child;
      });
      const liftedAt = new Date();
      const elapsedS = () => (Date.now() - liftedAt.getTime()) / 1000;
      while (elapsedS() < MAX_SETTLE_S) {
        const open = await Promise.all(pages.map(waitsForMoney));
        if (!open.some(Boolean) && elapsedS() > LAST_TIMEOUT_S) break;
        await sleep(2_000);
      }
      const checked = await checkMatches(home.url);
      await endProcess(server!, 'SIGINT');
      proxy.close();
      return { liftedAt, ...checked };
    },
  };
}

async function waitsForMoney(page: Page): Promise<boolean> {
  const history = await page.call('GET', '/api/dashboard/games_history');
  const rows = (history.data?.data ?? []) as { status: string }[];
  return rows.some(({ status }) => status !== 'completed');
}
