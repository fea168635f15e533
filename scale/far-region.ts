import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@engulf/crash/random';
import { BOUNTIES_ASTRAY, codesIn, readServerLog } from '@engulf/trials/server-log';
import pg from 'pg';
import { gatherCrowd } from './crowd.ts';
import type { Member } from './fleet.ts';
import type { LobbyWatch } from './lobby-watch.ts';
import { type Finding, GIVE_UP_MS } from './take-over.ts';
import { FAR, FAR_MS, type ScaleWorld } from './world.ts';

const PLAYERS = 8;
const MIN_RESULTS = 5;
const MAX_SHORT_MS = 20_000;
const PROBE_MS = 200;
const RESULT_WITHIN_MS = 1_500;
const FINISH_WITHIN_MS = 60_000;
/** A tick has 40. */
const SLOW_TICK_MS = 40;
/** Nobody kills anything here, so that every result reaches the ledger. */
const DISORDER = [...BOUNTIES_ASTRAY, 'ENTRY_NOT_SETTLED'];

type Stay = {
  readonly playMs: number;
  readonly cutMs: number;
  /** How long players and ticks wait is judged, too. */
  readonly isTimed: boolean;
};

/**
 * People play in a region that is far from PostgreSQL and Redis, which is then cut off from them. Whoever was inside is
 * refunded, or plays on; the audit at the end counts the money.
 */
export async function playFarAway(
  world: ScaleWorld,
  watch: LobbyWatch,
  { playMs, cutMs, isTimed }: Stay,
): Promise<Finding> {
  const faults: string[] = [];
  const first = await world.startFarGame();
  const lobbies = watch.lobbies().filter(({ region }) => region === FAR);
  const isOpen = () =>
    watch.until(
      lobbies.map(({ id }) => id),
      ({ isActive }) => isActive,
      GIVE_UP_MS,
    );
  const openAfterMs = await isOpen();
  const crowd = await gatherCrowd(world, watch, { players: PLAYERS, random: createRandom(7), region: FAR });
  const ways = probeWays(world);
  const beganMs = Date.now();
  const isEnough = () => crowd.resultsMs.length >= MIN_RESULTS && Date.now() - beganMs >= playMs;
  while (!isEnough() && Date.now() - beganMs < Math.max(playMs, MAX_SHORT_MS)) await sleep(100);
  const waits = crowd.resultsMs.map(Math.round).toSorted((a, b) => a - b);
  const slowTicks = await readSlowTicks(world);
  const wayMs = await ways.stop();
  if (isTimed) faults.push(...delays(waits, wayMs, slowTicks));

  for (const line of world.farLines) line.cut();
  await sleep(cutMs);
  const mendedMs = Date.now();
  for (const line of world.farLines) line.mend();
  const ended = await untilEnded(first);
  if (!ended) faults.push('the process that was declared dead went on');
  const endedAfterMs = Date.now() - mendedMs;
  const second = await world.startFarGame();
  const openAgainAfterMs = await isOpen();
  await crowd.finish(FINISH_WITHIN_MS);
  for (const member of [first, second])
    faults.push(
      ...strangeIn(
        member,
        lobbies.map(({ id }) => id),
      ),
    );
  await second.end('SIGTERM');
  const figures = {
    openAfterMs,
    results: waits.length,
    resultMsP50: waits[Math.floor(waits.length / 2)] ?? 0,
    resultMsWorst: waits.at(-1) ?? 0,
    wayMs: Math.round(wayMs),
    slowTickMs: slowTicks.far,
    nearSlowTickMs: slowTicks.near,
    endedAfterMs,
    openAgainAfterMs,
    ...Object.fromEntries(crowd.outcomes),
  };
  return { figures, faults };
}

function delays(
  waits: readonly number[],
  wayMs: number,
  slowTicks: { readonly far: number; readonly near: number },
): string[] {
  const allowedMs = RESULT_WITHIN_MS * Math.max(1, wayMs / FAR_MS);
  const late = waits.filter((ms) => ms > allowedMs);
  const areSlow = slowTicks.far > Math.max(SLOW_TICK_MS, 2 * slowTicks.near);
  return [
    ...(waits.length === 0 ? ['nobody got a result'] : []),
    ...(late.length > 0 ? [`${late.length} waited too long for their results: ${late.join(', ')} ms`] : []),
    ...(areSlow ? [`ticks took ${slowTicks.far} ms`] : []),
  ];
}

/** How long a query takes from there, which is more on a machine that does not keep up: nine in ten are faster. */
function probeWays({ farLines }: ScaleWorld): { stop(): Promise<number> } {
  const took: number[] = [];
  let isStopped = false;
  const probe = async () => {
    const client = new pg.Client(farLines[0]!.url);
    await client.connect();
    while (!isStopped) {
      const startedMs = performance.now();
      await client.query('select 1');
      took.push(performance.now() - startedMs);
      await sleep(PROBE_MS);
    }
    await client.end();
  };
  const probing = probe();
  return {
    stop: async () => {
      isStopped = true;
      await probing;
      return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.9)] ?? 0;
    },
  };
}

/** What the slowest hundredth of the ticks took. */
async function readSlowTicks({ db }: ScaleWorld): Promise<{ far: number; near: number }> {
  const { rows } = await db.query<{ region: string; ms: number }>(
    'select region, max(slow_tick_ms) as ms from game_processes group by region',
  );
  const ofRegion = (isFar: boolean) => rows.find(({ region }) => (region === FAR) === isFar)?.ms ?? 0;
  return { far: Math.round(ofRegion(true)), near: Math.round(ofRegion(false)) };
}

async function untilEnded(member: Member): Promise<boolean> {
  const giveUpMs = Date.now() + GIVE_UP_MS;
  while (member.endedAtMs === undefined && Date.now() < giveUpMs) await sleep(100);
  return member.endedAtMs !== undefined;
}

function strangeIn(member: Member, lobbies: readonly string[]): string[] {
  const lines = readServerLog(member.folder);
  const opened = lines.filter(({ msg }) => msg === 'room opened').map(({ lobbyId }) => String(lobbyId));
  const foreign = opened.filter((id) => !lobbies.includes(id));
  return [
    ...codesIn(lines, DISORDER).map((code) => `${member.name} logged ${code}`),
    ...foreign.map((id) => `${member.name} opened the lobby ${id} of another region`),
  ];
}
