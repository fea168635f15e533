import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, eq, gt, notInArray, or } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { gameProcesses, lobbyLeases } from '../platform/database/games.ts';
import { isAliveAt, livingProcesses } from '../platform/game-processes.ts';

/*
 * Every open lobby has one room, in one process: the one that holds its lease. A lease has no end of its own; it
 * is void when its process is no longer alive.
 */

/** True if this process may run the lobby's room. */
export async function takeLease(context: Context, lobbyId: LobbyId): Promise<boolean> {
  const { db, processId } = context;
  const living = await livingProcesses(context);
  const taken = await db
    .insert(lobbyLeases)
    .values({ lobbyId, processId })
    .onConflictDoUpdate({
      target: lobbyLeases.lobbyId,
      set: { processId },
      setWhere: or(eq(lobbyLeases.processId, processId), notInArray(lobbyLeases.processId, living))!,
    })
    .returning();
  return taken.length > 0;
}

/** A process says every other second that it is alive. */
const SILENT_AFTER_MS = 6_000;

/** Whether the lobby's room can be entered: the process that runs it was alive a moment ago. */
export async function hasRoom(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<boolean> {
  const isFresh = gt(gameProcesses.seenAt, new Date(nowMs() - SILENT_AFTER_MS));
  const running = await db
    .select({ id: gameProcesses.id })
    .from(lobbyLeases)
    .innerJoin(gameProcesses, eq(gameProcesses.id, lobbyLeases.processId))
    .where(and(eq(lobbyLeases.lobbyId, lobbyId), isFresh));
  return running.length > 0;
}

export async function releaseLease({ db, processId }: Context, lobbyId: LobbyId): Promise<void> {
  const isOurs = and(eq(lobbyLeases.lobbyId, lobbyId), eq(lobbyLeases.processId, processId));
  await db.delete(lobbyLeases).where(isOurs);
}

/** Whether a living process runs the lobby's room. */
export async function isLeased(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<boolean> {
  const leases = await db
    .select({ processId: lobbyLeases.processId })
    .from(lobbyLeases)
    .innerJoin(gameProcesses, eq(gameProcesses.id, lobbyLeases.processId))
    .where(and(eq(lobbyLeases.lobbyId, lobbyId), isAliveAt(nowMs())));
  return leases.length > 0;
}
