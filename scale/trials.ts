import { setTimeout as sleep } from 'node:timers/promises';
import { openPage, type Page } from '@engulf/crash/page';
import { createRandom } from '@engulf/crash/random';
import { visit } from '@engulf/crash/visit';
import type { Lobby } from '@engulf/protocol/lobby';
import { childrenOf } from '@engulf/trials/process-usage';
import { readServerLog } from '@engulf/trials/server-log';
import { playFarAway } from './far-region.ts';
import type { Member } from './fleet.ts';
import { countHeartbeats } from './heartbeats.ts';
import type { LobbyWatch } from './lobby-watch.ts';
import { type Finding, GIVE_UP_MS, isElsewhere, lateFaults, untilTakenOver } from './take-over.ts';
import type { ScaleWorld } from './world.ts';

/** What happens to the machines while people play, one after another. */
export type Trial = {
  readonly name: string;
  /** Left out of a service whose rooms run in the game processes themselves. */
  readonly needsRoomProcesses?: true;
  run(stage: Stage): Promise<Finding>;
};

type Stage = {
  readonly world: ScaleWorld;
  readonly watch: LobbyWatch;
  readonly returnsMs: readonly number[];
  /** As long as it may take, and not as short as the rest needs. */
  readonly isLong: boolean;
};

const API_CALLS = 60;
const RETURN_WITHIN_MS = 30_000;
const REDIS_AWAY_MS = 7_000;
const REDIS_BACK_MS = 3_000;

const killGame: Trial = {
  name: 'a game process is killed',
  run: async ({ world, watch }) => {
    const { victim, address, lobbies } = busiestGame(world, watch);
    await victim.end('SIGKILL');
    const { figures, faults } = await untilTakenOver(world, watch, { address, lobbies });
    await world.startGame();
    return { figures: { lobbies: lobbies.length, ...figures }, faults };
  },
};

const freezeGame: Trial = {
  name: 'a game process freezes, is declared dead and wakes up',
  run: async ({ world, watch }) => {
    const { victim, address, lobbies } = busiestGame(world, watch);
    victim.freeze();
    const { figures, faults } = await untilTakenOver(world, watch, { address, lobbies });
    // It wakes up with everybody still connected, finds itself dead, and ends, or replaces its room processes.
    const beatsAwake = await countHeartbeats(world.db);
    const wokenMs = Date.now();
    if (world.roomProcesses > 0) {
      victim.wake();
      while (countEndedRooms(victim) === 0 && Date.now() - wokenMs < GIVE_UP_MS) await sleep(100);
    } else {
      const code = await victim.end('SIGCONT');
      if (code !== 1) faults.push(`it ended with ${code}`);
    }
    const endedAfterMs = Date.now() - wokenMs;
    faults.push(...lateFaults(world, 'it went on', endedAfterMs, await beatsAwake()));
    if (world.roomProcesses === 0) await world.startGame();
    return { figures: { ...figures, endedAfterMs }, faults };
  },
};

function countEndedRooms(victim: Member): number {
  return readServerLog(victim.folder).filter(({ code }) => code === 'ROOM_PROCESS_ENDED').length;
}

const freezeRooms: Trial = {
  name: 'a room process freezes with its players inside',
  needsRoomProcesses: true,
  run: async ({ world, watch }) => {
    // One that has just been replaced has nobody in it yet.
    while (busiestGame(world, watch).lobbies.length === 0) await sleep(100);
    const { victim } = busiestGame(world, watch);
    const before = countEndedRooms(victim);
    const beats = await countHeartbeats(world.db);
    const frozenMs = Date.now();
    process.kill(childrenOf(victim.pid, 'room-process')[0]!, 'SIGSTOP');
    while (countEndedRooms(victim) === before && Date.now() - frozenMs < GIVE_UP_MS) await sleep(100);
    const endedAfterMs = Date.now() - frozenMs;
    return {
      figures: { endedAfterMs },
      faults: lateFaults(world, 'it was frozen', endedAfterMs, await beats()),
    };
  },
};

const killApi: Trial = {
  name: 'an api process is killed',
  run: async ({ world }) => {
    const victim = world.fleet.living('api')[0]!;
    await victim.end('SIGKILL');
    let failed = 0;
    for (let call = 0; call < API_CALLS; call++) {
      if (!(await isOk(`${world.url}/api/config`))) failed++;
      await sleep(50);
    }
    await world.startApi(world.placeOf(victim));
    const faults = failed > API_CALLS / 10 ? [`${failed} of ${API_CALLS} calls failed`] : [];
    return { figures: { answered: API_CALLS - failed, failed }, faults };
  },
};

const killWorker: Trial = {
  name: 'a worker is killed in the middle of a payout',
  run: async ({ world }) => {
    const killed = Promise.withResolvers<string>();
    // The transaction has reached the node, and the worker never learns of it.
    world.onWorkerRequest = (worker, method, moment) => {
      if (method !== 'sendTransaction' || moment !== 'after') return;
      world.onWorkerRequest = () => {};
      const victim = world.fleet.living('worker').find(({ name }) => name === worker);
      void victim?.end('SIGKILL').then(() => killed.resolve(worker));
    };
    const startedMs = Date.now();
    const victim = await Promise.race([killed.promise, sleep(GIVE_UP_MS)]);
    world.onWorkerRequest = () => {};
    await world.startWorker();
    const faults = victim === undefined ? ['nothing was paid out'] : [];
    return { figures: { killedAfterMs: Date.now() - startedMs }, faults };
  },
};

const killRedis: Trial = {
  name: 'Redis is killed and comes back',
  run: async ({ world, watch }) => {
    const before = watch.changes.length;
    await world.redis.end('SIGKILL');
    await sleep(REDIS_AWAY_MS);
    const online = watch.lobbies().filter(({ isActive }) => isActive).length;
    await world.redis.start();
    await sleep(REDIS_BACK_MS);
    const lost = watch.changes.slice(before).filter(({ isOnline }) => !isOnline);
    return { figures: { online }, faults: lost.map(({ name }) => `${name} looked offline`) };
  },
};

const restartPostgres: Trial = {
  name: 'PostgreSQL is restarted',
  run: async ({ world, watch }) => {
    const games = world.fleet.living('game').length;
    const page = await openPage(world, 'after the restart', () => true);
    const before = watch.changes.length;
    // There are none while the database is away.
    const beats = await countHeartbeats(world.db);
    const endedMs = Date.now();
    await world.postgres.end('SIGINT');
    await world.postgres.start();
    const startedMs = Date.now();
    const readsAfterMs = await firstSuccess(() => reads(page));
    const joinsAfterMs = await firstSuccess(() => joinsAndPlays(page, watch));
    const late = lateFaults(world, 'nobody could join', joinsAfterMs, await beats());
    const offline = watch.changes.slice(before).filter(({ isOnline }) => !isOnline).length;
    const ended = games - world.fleet.living('game').length;
    const faults = ended > 0 ? [`${ended} game processes took themselves for dead`] : [];
    if (offline > 0) faults.push(`${offline} lobbies looked offline`);
    const figures = { downMs: startedMs - endedMs, readsAfterMs, joinsAfterMs };
    return { figures, faults: [...faults, ...late] };

    /** Since the database was back. */
    async function firstSuccess(attempt: () => Promise<boolean>): Promise<number> {
      while (!(await attempt().catch(() => false))) {
        if (Date.now() - startedMs > GIVE_UP_MS) break;
        await sleep(50);
      }
      return Date.now() - startedMs;
    }
  },
};

async function reads(page: Page): Promise<boolean> {
  return (await page.call('GET', '/api/auth/profile')).httpStatus === 200;
}

/** All the way into an arena: a ticket is stored by an api process and redeemed by a game process. */
async function joinsAndPlays(page: Page, watch: LobbyWatch): Promise<boolean> {
  const free = openLobbies(watch).filter(({ lobbyType }) => lobbyType === 'free');
  const lobby = free.toSorted((one, other) => one.currentPlayers - other.currentPlayers)[0]!;
  const path = '/api/serverBrowser/join-lobby';
  const { joinTicket } = await page.call('POST', path, { selectedLobbyId: lobby.id });
  if (joinTicket === undefined) return false;
  const seen = Promise.withResolvers<boolean>();
  const { inputsKeys } = page;
  const options = { leaving: 'forfeit', maxMs: 1_000, random: createRandom(1), inputsKeys } as const;
  visit(lobby.baseGame!, lobby.id, joinTicket, { ...options, onShown: () => seen.resolve(true) }).then(
    () => seen.resolve(false),
    seen.reject,
  );
  return seen.promise;
}

const rollingRestart: Trial = {
  name: 'api and worker processes are replaced one by one',
  run: async ({ world }) => {
    const startedMs = Date.now();
    const faults: string[] = [];
    const end = async (member: Member) => {
      const code = await member.end('SIGTERM');
      if (code !== 0) faults.push(`${member.name} ended with ${code}`);
    };
    for (const api of world.fleet.living('api')) {
      await end(api);
      await world.startApi(world.placeOf(api));
    }
    for (const worker of world.fleet.living('worker')) {
      await end(worker);
      await world.startWorker();
    }
    return { figures: { tookMs: Date.now() - startedMs }, faults };
  },
};

const moveMatches: Trial = {
  name: 'game processes are replaced one by one, and live matches move',
  run: async ({ world, watch, returnsMs }) => {
    const faults: string[] = [];
    let [moved, worstMs] = [0, 0];
    for (const _ of world.fleet.living('game')) {
      const { victim, address, lobbies } = busiestGame(world, watch);
      await world.startGame();
      const beats = await countHeartbeats(world.db);
      const gone = victim.end('SIGTERM');
      const away = await watch.until(lobbies, isElsewhere(address), GIVE_UP_MS);
      faults.push(...lateFaults(world, 'lobbies were away', away, await beats()));
      const code = await gone;
      if (code !== 0) faults.push(`${victim.name} ended with ${code}`);
      moved += readServerLog(victim.folder).filter(({ msg }) => msg === 'room moved').length;
      worstMs = Math.max(worstMs, away);
    }
    const movedMs = Date.now();
    while (returnsMs.length === 0 && Date.now() - movedMs < RETURN_WITHIN_MS) await sleep(100);
    if (moved === 0) faults.push('no match moved');
    if (returnsMs.length === 0) faults.push('nobody returned to a match that moved');
    const sorted = returnsMs.map(Math.round).toSorted((a, b) => a - b);
    const figures = {
      moved,
      returned: sorted.length,
      awayMsP50: sorted[Math.floor(sorted.length / 2)] ?? 0,
      awayMsWorst: sorted.at(-1) ?? 0,
      allElsewhereMs: worstMs,
    };
    return { figures, faults };
  },
};

const SHORT_STAY = { playMs: 0, cutMs: 7_000, isTimed: false };
/** Only this is for a machine that does nothing else. */
const LONG_STAY = { playMs: 60_000, cutMs: 60_000, isTimed: true };

const farRegion: Trial = {
  name: 'a region is far from the database, and is cut off from it',
  run: ({ world, watch, isLong }) => playFarAway(world, watch, isLong ? LONG_STAY : SHORT_STAY),
};

export const TRIALS: readonly Trial[] = [
  killGame,
  freezeGame,
  freezeRooms,
  killApi,
  killWorker,
  killRedis,
  restartPostgres,
  rollingRestart,
  moveMatches,
  farRegion,
];

function openLobbies(watch: LobbyWatch): Lobby[] {
  return watch.lobbies().filter(({ isActive, baseGame }) => isActive && baseGame !== null);
}

/** The living game process with the most people, and its lobbies. */
function busiestGame({ fleet }: ScaleWorld, watch: LobbyWatch) {
  const lobbies = openLobbies(watch);
  const people = (address: string) =>
    lobbies
      .filter(({ baseGame }) => baseGame === address)
      .reduce((total, { currentPlayers }) => total + currentPlayers, 0);
  const [victim] = fleet.living('game').toSorted((a, b) => people(b.address!) - people(a.address!));
  const address = victim!.address!;
  const own = lobbies.filter(({ baseGame }) => baseGame === address).map(({ id }) => id);
  return { victim: victim!, address, lobbies: own };
}

async function isOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
