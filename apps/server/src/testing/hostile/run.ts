import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { Lobby } from '@engulf/protocol/lobby';
import { io } from 'socket.io-client';
import { cpuMsOf, rssMbOf } from '../process-usage.ts';
import { createServerHome, type ServerProcess } from '../server-process.ts';
import type { Target } from './attack.ts';
import { type HonestPlayer, signUp, startPlaying } from './honest-player.ts';

/*
 * Attacks a real server process, one attack after the other, while an honest player plays in a free lobby of the same
 * server. The player's updates are measured before and during each attack. Loopback only; about four minutes.
 */

const ATTACKS = [
  'largeBodies',
  'smallBodies',
  'slowBodies',
  'pipelinedRequests',
  'requestFlood',
  'tinyPieces',
  'silentJoins',
  'badFrames',
  'laughingFrames',
  'deafSpectators',
  'manySockets',
  'menuQuestions',
  'menuFrames',
];
const MAX_GAP_MS = 120;
const MAX_GAPS_CAUSED = 1;
const CALM_MS = 3_000;

const { values: options } = parseArgs({
  options: { attack: { type: 'string', multiple: true }, seconds: { type: 'string', default: '8' } },
});
const attackMs = Number(options.seconds) * 1_000;

const home = await createServerHome();
const rows: ReturnType<typeof describe>[] = [];
try {
  // The real limits, and a player whom no bot can eat.
  const rules = JSON.stringify({ spawn: { invulnerableSeconds: 3_600 } });
  const server = await home.start({ RATE_LIMIT_SCALE: '1', ARENA_RULES: rules });
  const lobbyId = await findFreeLobby(server);
  const cookies = await Promise.all([0, 1, 2].map(async () => (await signUp(server)).cookie!));
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
  const { stdout } = await promisify(execFile)(process.execPath, [attacker, name, attack]);
  const during = player.takeGapsMs();
  const atEnd = usageOf(server);
  const cpuMs = atEnd.cpuMs - atAttack.cpuMs - (atAttack.cpuMs - atStart.cpuMs);
  const grownMb = atEnd.rssMb - atAttack.rssMb;
  return describe(name, stdout.trim(), before, during, { grownMb, cpuMs }, player.isConnected());
}

function describe(
  attack: string,
  answers: string,
  before: readonly number[],
  during: readonly number[],
  { grownMb, cpuMs }: { readonly grownMb: number; readonly cpuMs: number },
  isConnected: boolean,
) {
  const gapsBefore = before.filter((ms) => ms > MAX_GAP_MS).length;
  const gapsDuring = during.filter((ms) => ms > MAX_GAP_MS).length;
  // A busy machine makes gaps of its own; the attack answers for the rest.
  const isHeld = isConnected && gapsDuring - gapsBefore <= MAX_GAPS_CAUSED;
  return {
    attack,
    answers,
    gapsBefore,
    gapsDuring,
    longestBeforeMs: Math.round(Math.max(...before)),
    longestDuringMs: Math.round(Math.max(...during)),
    grownMb: Math.round(grownMb),
    /** What the attack cost the server, of which a core has 1,000 a second. */
    cpuMs: Math.round(cpuMs),
    verdict: isHeld ? 'held' : isConnected ? 'disturbed' : 'player lost',
  };
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
