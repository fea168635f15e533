import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { type TaskFailure, validateTask } from '@engulf/domain/social/task';
import type { SocialTask } from '@engulf/protocol/http/social';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { type TaskRow, taskCompletions, tasks, taskVisits } from '../platform/database/social.ts';
import { providerOf, type Social } from './task-providers.ts';
import { findXAccount } from './x-sign-in.ts';

/** The tasks that can be verified, and how far the user is with them. */
export async function listTasks(
  context: Pick<Context, 'db'>,
  social: Social,
  user: UserRow | undefined,
): Promise<SocialTask[]> {
  const rows = await context.db
    .select()
    .from(tasks)
    .where(eq(tasks.isActive, true))
    .orderBy(asc(tasks.sortOrder), asc(tasks.id));
  const offered = rows.filter(({ action }) => providerOf(social, action));
  const stateOf = user ? await readStates(context, user) : () => undefined;
  return offered.map((row) => ({
    ...describe(row),
    isCompleted: stateOf(row) === 'verified',
    isQueued: stateOf(row) === 'queued',
  }));
}

async function readStates(context: Pick<Context, 'db'>, user: UserRow) {
  const done = await context.db.select().from(taskCompletions).where(eq(taskCompletions.userId, user.id));
  const states = new Map(done.map(({ taskId, state }) => [taskId, state]));
  const isConnected = (await findXAccount(context, user)) !== undefined;
  return ({ id, action }: TaskRow) =>
    action === 'connect' ? (isConnected ? 'verified' : undefined) : states.get(id);
}

function describe(row: TaskRow) {
  return {
    _id: row.id,
    taskAction: row.action,
    taskName: row.name,
    taskDescription: row.description,
    url: row.url,
    tweetId: row.tweetId,
    tgUrl: row.tgUrl,
  };
}

type CompletionRefusal = TaskFailure | Failure<'TASK_NOT_FOUND'>;

/** Queues a task for verification. Reporting one twice, or one that is verified, changes nothing. */
export async function completeTask(
  context: Pick<Context, 'db' | 'nowMs'>,
  social: Social,
  user: UserRow,
  taskId: string,
): Promise<Result<undefined, CompletionRefusal>> {
  if (taskId === '') return refuse('TASK_ID_MISSING');
  const task = await findTask(context, social, taskId);
  if (!task) return refuse('TASK_NOT_FOUND');
  const valid = validateTask(describe(task));
  if (!valid.ok) return valid;
  const now = new Date(context.nowMs());
  const queued = { state: 'queued', queuedAt: now, checks: 0, nextCheckAt: now } as const;
  await context.db
    .insert(taskCompletions)
    .values({ userId: user.id, taskId: task.id, ...queued })
    .onConflictDoUpdate({
      target: [taskCompletions.userId, taskCompletions.taskId],
      set: queued,
      setWhere: eq(taskCompletions.state, 'refused'),
    });
  return ok(undefined);
}

/** Where the link of a task leads. The visit is noted: for some tasks that is all there is to verify. */
export async function openTask(
  context: Pick<Context, 'db' | 'keys' | 'nowMs'>,
  social: Social,
  { user, taskId, ourOrigin }: { user: UserRow; taskId: string; ourOrigin: string },
): Promise<Result<string, CompletionRefusal>> {
  const task = await findTask(context, social, taskId);
  const provider = task && providerOf(social, task.action);
  if (!provider) return refuse('TASK_NOT_FOUND');
  const valid = validateTask(describe(task));
  if (!valid.ok) return valid;
  await context.db
    .insert(taskVisits)
    .values({ userId: user.id, taskId, visitedAt: new Date(context.nowMs()) })
    .onConflictDoNothing();
  return ok(provider.targetOf(task, { userId: user.id, ourOrigin, key: context.keys.telegram }));
}

async function findTask(
  { db }: Pick<Context, 'db'>,
  social: Social,
  taskId: string,
): Promise<TaskRow | undefined> {
  const [task] = await db
    .select()
    .from(tasks)
    .where(and(sql`${tasks.id}::text = ${taskId}`, eq(tasks.isActive, true)));
  return task && providerOf(social, task.action) ? task : undefined;
}

/** Completions whose next check is due, as `userId/taskId`. */
export async function queuedTasks({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<string[]> {
  const rows = await db
    .select({ userId: taskCompletions.userId, taskId: taskCompletions.taskId })
    .from(taskCompletions)
    .where(and(eq(taskCompletions.state, 'queued'), lte(taskCompletions.nextCheckAt, new Date(nowMs()))))
    .orderBy(asc(taskCompletions.nextCheckAt))
    .limit(100);
  return rows.map(({ userId, taskId }) => `${userId}/${taskId}`);
}

const CHECK_EVERY_MS = 4_000;
/** A like may take a while to show in the answers of X. */
const MAX_CHECKS = 6;

/** Checks one completion. Safe to run in several workers: only a queued one is ever decided. */
export async function verifyTask(context: Context, social: Social, key: string): Promise<void> {
  const [userId, taskId] = key.split('/') as [UserRow['id'], string];
  const ofKey = and(eq(taskCompletions.userId, userId), eq(taskCompletions.taskId, taskId))!;
  const [row] = await context.db
    .select()
    .from(taskCompletions)
    .innerJoin(tasks, eq(tasks.id, taskCompletions.taskId))
    .where(and(ofKey, eq(taskCompletions.state, 'queued')));
  if (!row) return;
  const provider = providerOf(social, row.tasks.action);
  const done = provider ? await provider.isDone(context, userId, row.tasks) : ok(false);
  const isLimited = !done.ok && done.error.kind === 'rate-limited';
  if (!done.ok && !isLimited) {
    context.logger.warn({ code: 'TASK_NOT_CHECKED', err: done.error, taskId }, 'a task could not be checked');
  }
  const checks = row.task_completions.checks + (isLimited ? 0 : 1);
  const state = done.ok && done.value ? 'verified' : checks >= MAX_CHECKS ? 'refused' : 'queued';
  const waitMs = !done.ok && done.error.kind === 'rate-limited' ? done.error.retryAfterMs : CHECK_EVERY_MS;
  await context.db
    .update(taskCompletions)
    .set({ state, checks, nextCheckAt: new Date(context.nowMs() + waitMs) })
    .where(and(ofKey, eq(taskCompletions.state, 'queued')));
}
