import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { Lobby } from '@engulf/protocol/lobby';
import { io } from 'socket.io-client';
import { cpuMsOf, rssMbOf } from '../process-usage.ts';
import { createServerHome } from '../server-home.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Target } from './attack.ts';
import { type HonestPlayer, signUp, startPlaying } from './honest-player.ts';

/*
 * Attacks a real server process, one attack after the other, while an honest player plays in a free lobby of the same
 * server. The player's updates are measured before and during each attack, and somebody else comes to play in its middle.
 * Loopback only; about five minutes.
 */

const ATTACKS = [
  'largeBodies',
  'smallBodies',
  'slowBodies',
  'pipelinedRequests',
  'requestFlood',
  'pageFlood',
  'oldChatPages',
  'consoleCalls',
  'idleConnections',
  'tinyPieces',
  'silentJoins',
  'badFrames',
  'deepFrames',
  'emptyPieces',
  'fragments',
  'forgedTickets',
  'deafSpectators',
  'manySockets',
  'squatters',
  'seatHoarders',
  'menuQuestions',
  'menuFrames',
  'menuFragments',
  'chatFlood',
];
const MAX_GAP_MS = 120;
const MAX_GAPS_CAUSED = 1;
/** Of 25. */
const MIN_UPDATES_PER_SECOND = 24;
const CALM_MS = 3_000;
/** Of the attacker. */
const USERS = 30;

const { values: options } = parseArgs({
  options: {
    attack: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '8' },
    processes: { type: 'string', default: '0' },
  },
});
const attackMs = Number(options.seconds) * 1_000;

const home = await createServerHome();
const rows: ReturnType<typeof describe>[] = [];
try {
  // The real limits, and a player whom no bot can eat.
  const rules = JSON.stringify({ spawn: { invulnerableSeconds: 3_600 } });
  const ROOM_PROCESSES = options.processes;
  const server = await home.start({ RATE_LIMIT_SCALE: '1', ARENA_RULES: rules, ROOM_PROCESSES });
  const lobbyId = await findFreeLobby(server);
  const cookies = await signUpAttackers(server);
  const player = await startPlaying(server, lobbyId);
  await sleep(CALM_MS);
  for (const name of options.attack ?? ATTACKS) {
    process.stderr.write(`${name} …\n`);
    rows.push(await measure(server, player, name, { url: server.url, lobbyId, cookies }));
  }
  player.leave();
} finally {
  await home.dispose();
}
console.table(rows);
process.exit(rows.every(({ verdict }) => verdict === 'held') ? 0 : 1);

async function signUpAttackers(server: ServerProcess): Promise<string[]> {
  const cookies: string[] = [];
  for (let i = 0; i < USERS; i++) cookies.push((await signUp(server, `127.0.2.${1 + i}`)).cookie!);
  return cookies;
}

async function measure(
  server: ServerProcess,
  player: HonestPlayer,
  name: string,
  target: Omit<Target, 'untilMs'>,
) {
  await sleep(CALM_MS);
  player.takeGapsMs();
  const atStart = usageOf(server);
  await sleep(attackMs);
  const before = player.takeGapsMs();
  const atAttack = usageOf(server);
  const untilMs = Date.now() + attackMs;
  const attacker = join(import.meta.dirname, 'attacker.ts');
  const attack = JSON.stringify({ ...target, untilMs });
  const attacking = promisify(execFile)(process.execPath, [attacker, name, attack]);
  await sleep(attackMs / 2);
  const joinedMs = await comeToPlay(server, target.lobbyId);
  const { stdout } = await attacking;
  const during = player.takeGapsMs();
  const atEnd = usageOf(server);
  const cpuMs = atEnd.cpuMs - atAttack.cpuMs - (atAttack.cpuMs - atStart.cpuMs);
  const grownMb = atEnd.rssMb - atAttack.rssMb;
  return describe(name, stdout.trim(), before, during, { grownMb, cpuMs, joinedMs }, player.isConnected());
}

/** How long it takes to sign up and join; undefined if it is not possible. */
async function comeToPlay(server: ServerProcess, lobbyId: string): Promise<number | undefined> {
  const startedMs = performance.now();
  try {
    (await startPlaying(server, lobbyId)).leave();
    return performance.now() - startedMs;
  } catch (error) {
    process.stderr.write(`nobody could join: ${String((error as Error).cause ?? error)}\n`);
    return undefined;
  }
}

function describe(
  attack: string,
  answers: string,
  before: readonly number[],
  during: readonly number[],
  {
    grownMb,
    cpuMs,
    joinedMs,
  }: { readonly grownMb: number; readonly cpuMs: number; readonly joinedMs: number | undefined },
  isConnected: boolean,
) {
  const gapsBefore = before.filter((ms) => ms > MAX_GAP_MS).length;
  const gapsDuring = during.filter((ms) => ms > MAX_GAP_MS).length;
  // A busy machine makes gaps of its own; the attack answers for the rest.
  const areUpdatesKept = rateOf(during) >= Math.min(MIN_UPDATES_PER_SECOND, rateOf(before) - 1);
  const isHeld = joinedMs !== undefined && gapsDuring - gapsBefore <= MAX_GAPS_CAUSED && areUpdatesKept;
  const disturbance = joinedMs === undefined ? 'kept others out' : 'disturbed';
  return {
    attack,
    answers,
    perSecondBefore: rateOf(before),
    perSecondDuring: rateOf(during),
    gapsBefore,
    gapsDuring,
    longestBeforeMs: Math.round(Math.max(...before)),
    longestDuringMs: Math.round(Math.max(...during)),
    grownMb: Math.round(grownMb),
    /** What the attack cost the server, of which a core has 1,000 a second. */
    cpuMs: Math.round(cpuMs),
    joinedMs: joinedMs && Math.round(joinedMs),
    verdict: !isConnected ? 'player lost' : isHeld ? 'held' : disturbance,
  };
}

/** Updates in a second. */
function rateOf(gapsMs: readonly number[]): number {
  const totalMs = gapsMs.reduce((sum, ms) => sum + ms, 0);
  return Math.round((gapsMs.length * 10_000) / totalMs) / 10;
}

/** Zeros where the system does not tell. */
function usageOf({ pid }: ServerProcess): { readonly cpuMs: number; readonly rssMb: number } {
  try {
    return { cpuMs: cpuMsOf(pid), rssMb: rssMbOf(pid) };
  } catch {
    return { cpuMs: 0, rssMb: 0 };
  }
}

async function findFreeLobby({ url }: ServerProcess): Promise<string> {
  const socket = io(url, { transports: ['websocket'], forceNew: true });
  const listed = new Promise<Lobby[]>((resolve) => socket.once('lobby', resolve));
  socket.emit('register', 'anonymous');
  const lobby = (await listed).find(({ lobbyType }) => lobbyType === 'free')!;
  socket.disconnect();
  return lobby.id;
}
