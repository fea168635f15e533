import { and, eq, ne, sql } from 'drizzle-orm';
import type { systemClock } from '../clock.ts';
import type { Context } from '../context.ts';
import { gameProcesses } from '../database/games.ts';

/*
 * A game process has a row while it is alive, and counts its heartbeats there. When the count stops, the others delete the
 * row and with it every lease of that process: its lobbies are free, its players are refunded, and nothing that it still
 * tries to settle is accepted. No clocks are compared, only counts, and an observer that could not reach the database
 * itself starts over. So neither a wrong clock nor a restart of the database makes a process look dead.
 */

const BEAT_MS = 1_000;
/** No other process could take over, so it need not be fast, and an idle server stays idle. */
const LONE_BEAT_MS = 30_000;
const WATCH_MS = 500;
const DEAD_AFTER_MS = 5_000;
/** An observer that could not read for this long starts over. */
const MAX_GAP_MS = 2_000;

type Timers = Pick<typeof systemClock, 'monotonicMs' | 'setTimer'>;

export type ProcessSelf = {
  /** Where clients reach this process; null if the page's own address leads to it. */
  readonly address: string | null;
  /** Where it stands, if anybody said. */
  readonly region?: string | null;
  /** Only processes of one version can hand matches to each other. */
  readonly version: string;
  /** No other process can reach the database, so nobody watches the heartbeat. */
  readonly isAlone: boolean;
  /** For operators to look at. */
  readonly slowTickMs?: (() => number | undefined) | undefined;
};

export type Heartbeat = {
  stop(): Promise<void>;
};

/**
 * A process that finds itself declared dead does not come back to life: its players have been refunded, so its
 * rooms must end.
 */
export async function startHeartbeat(
  context: Pick<Context, 'db' | 'logger' | 'processId'>,
  { address, region, version, isAlone, slowTickMs }: ProcessSelf,
  onDeclaredDead = () => {},
): Promise<Heartbeat> {
  const { db, logger, processId } = context;
  const isUs = eq(gameProcesses.id, processId);
  await db.insert(gameProcesses).values({ id: processId, address, region, version });
  let isDead = false;
  const beat = async (): Promise<void> => {
    const alive = await db
      .update(gameProcesses)
      .set({ beats: sql`${gameProcesses.beats} + 1`, slowTickMs: slowTickMs?.() ?? null })
      .where(isUs)
      .returning({ id: gameProcesses.id });
    if (alive.length > 0 || isDead) return;
    isDead = true;
    clearInterval(timer);
    logger.error({ code: 'DECLARED_DEAD', processId }, 'this process was silent for too long and must end');
    onDeclaredDead();
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(
    () => {
      // While the database does not answer, beats must not pile up.
      running ??= beat()
        .catch((error) => logger.error({ code: 'HEARTBEAT_FAILED', err: error }, 'the heartbeat failed'))
        .finally(() => {
          running = undefined;
        });
    },
    isAlone ? LONE_BEAT_MS : BEAT_MS,
  );
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await db.delete(gameProcesses).where(isUs);
    },
  };
}

/** The lock on an embedded database proves that no other process is alive, so its players need not wait. */
export async function forgetAllProcesses({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.delete(gameProcesses);
}

type Seen = { readonly beats: number; readonly sinceMs: number };

/** Watches the other game processes and declares those dead whose heartbeat has stopped. */
export function startDeathWatch(
  context: Pick<Context, 'db' | 'logger' | 'processId'>,
  timers: Timers,
): { stop(): Promise<void> } {
  const { logger } = context;
  let seen = new Map<string, Seen>();
  let heardAtMs = timers.monotonicMs();
  let isStopped = false;
  let cancel = () => {};
  const look = async (): Promise<void> => {
    const askedAtMs = timers.monotonicMs();
    const others = await readOthers(context);
    const nowMs = timers.monotonicMs();
    const isBlind = nowMs - heardAtMs > MAX_GAP_MS;
    heardAtMs = nowMs;
    const before = seen;
    seen = new Map();
    for (const { id, beats } of others) {
      const known = isBlind ? undefined : before.get(id);
      const sinceMs = known?.beats === beats ? known.sinceMs : nowMs;
      if (askedAtMs - sinceMs > DEAD_AFTER_MS) await declareDead(context, id, beats);
      else seen.set(id, { beats, sinceMs });
    }
  };
  const loop = async (): Promise<void> => {
    await look().catch((error: unknown) =>
      logger.warn({ code: 'DEATH_WATCH_FAILED', err: error }, 'could not check the other game processes'),
    );
    if (!isStopped) cancel = timers.setTimer(WATCH_MS, () => (running = loop()));
  };
  let running = loop();
  return {
    stop: async () => {
      isStopped = true;
      cancel();
      await running;
    },
  };
}

function readOthers({
  db,
  processId,
}: Pick<Context, 'db' | 'processId'>): Promise<{ id: string; beats: number }[]> {
  return db
    .select({ id: gameProcesses.id, beats: gameProcesses.beats })
    .from(gameProcesses)
    .where(ne(gameProcesses.id, processId));
}

/** Unless it has sent a heartbeat since. */
async function declareDead(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  id: string,
  beats: number,
): Promise<void> {
  const isStill = and(eq(gameProcesses.id, id), eq(gameProcesses.beats, beats));
  const removed = await db.delete(gameProcesses).where(isStill).returning({ id: gameProcesses.id });
  if (removed.length === 0) return;
  logger.warn({ code: 'PROCESS_DECLARED_DEAD', deadProcessId: id }, 'a game process fell silent');
}

/** Whether this process may take lobbies: it was not declared dead and is not leaving. */
export async function canTakeLobbies({ db, processId }: Pick<Context, 'db' | 'processId'>): Promise<boolean> {
  const isTaking = and(eq(gameProcesses.id, processId), eq(gameProcesses.isDraining, false));
  return (await db.select({ id: gameProcesses.id }).from(gameProcesses).where(isTaking)).length > 0;
}

/** This process takes no more lobbies, and its own go to others. False if it was declared dead. */
export async function markDraining({ db, processId }: Pick<Context, 'db' | 'processId'>): Promise<boolean> {
  const marked = await db
    .update(gameProcesses)
    .set({ isDraining: true })
    .where(eq(gameProcesses.id, processId))
    .returning({ id: gameProcesses.id });
  return marked.length > 0;
}
