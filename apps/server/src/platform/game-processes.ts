import { and, eq, gt, lte, ne } from 'drizzle-orm';
import type { Context } from './context.ts';
import { gameProcesses } from './database/games.ts';

/*
 * Game processes say every other second that they are alive. One that is silent for too long is dead to the others:
 * its lobbies are free and its players are refunded.
 */

const BEAT_MS = 2_000;
const DEAD_AFTER_MS = 20_000;

export type Heartbeat = {
  stop(): Promise<void>;
};

/**
 * A process that finds itself declared dead does not come back to life: its players have been refunded, so its
 * rooms must end.
 */
export async function startHeartbeat(context: Context, onDeclaredDead = () => {}): Promise<Heartbeat> {
  const { db, logger, processId } = context;
  const now = () => new Date(context.nowMs());
  await db.insert(gameProcesses).values({ id: processId, seenAt: now() });
  let isDead = false;
  const beat = async (): Promise<void> => {
    const alive = await db
      .update(gameProcesses)
      .set({ seenAt: now() })
      .where(eq(gameProcesses.id, processId))
      .returning();
    if (alive.length > 0 || isDead) return;
    isDead = true;
    clearInterval(timer);
    logger.error({ code: 'DECLARED_DEAD', processId }, 'this process was silent for too long and must end');
    onDeclaredDead();
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = beat().catch((error) =>
      logger.error({ code: 'HEARTBEAT_FAILED', err: error }, 'the heartbeat failed'),
    );
  }, BEAT_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await db.delete(gameProcesses).where(eq(gameProcesses.id, processId));
    },
  };
}

/** Removes the processes that fell silent and lists the rest. This one is alive, however long it slept. */
export async function livingProcesses({ db, nowMs, processId }: Context): Promise<string[]> {
  const deadSince = new Date(nowMs() - DEAD_AFTER_MS);
  const isOther = ne(gameProcesses.id, processId);
  await db.delete(gameProcesses).where(and(lte(gameProcesses.seenAt, deadSince), isOther));
  const others = await db
    .select({ id: gameProcesses.id })
    .from(gameProcesses)
    .where(and(isAliveAt(nowMs()), isOther));
  return [processId, ...others.map(({ id }) => id)];
}

/** Whether a process is alive, for queries. */
export function isAliveAt(nowMs: number) {
  return gt(gameProcesses.seenAt, new Date(nowMs - DEAD_AFTER_MS));
}

/** For an embedded database, whose lock proves that no other process is alive. */
export async function forgetOtherProcesses({ db, processId }: Context): Promise<void> {
  await db.delete(gameProcesses).where(ne(gameProcesses.id, processId));
}
