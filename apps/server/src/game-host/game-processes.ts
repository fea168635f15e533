import { eq, ne } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { gameProcesses } from '../platform/database/games.ts';

const BEAT_MS = 2_000;
/** A process that was silent for so long is dead to the others, and its players are given their money back. */
export const DEAD_AFTER_MS = 20_000;

export type Heartbeat = {
  stop(): Promise<void>;
};

/**
 * Says again and again that this process plays, until it stops in good order. One that finds itself declared dead
 * does not come back to life: its players have their money, and its rooms must end.
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
    logger.error({ processId }, 'this process was silent for too long and is taken for dead');
    onDeclaredDead();
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = beat().catch((error) => logger.error({ err: error }, 'the heartbeat failed'));
  }, BEAT_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await db.delete(gameProcesses).where(eq(gameProcesses.id, processId));
    },
  };
}

export async function forgetOtherProcesses({ db, processId }: Context): Promise<void> {
  await db.delete(gameProcesses).where(ne(gameProcesses.id, processId));
}
