import { randomUUID } from 'node:crypto';
import { describeFailure } from '@engulf/domain/errors/registry';
import { validateTask } from '@engulf/domain/social/task';
import { asc, count, eq, sql } from 'drizzle-orm';
import { type TaskRow, taskCompletions, tasks } from '../../platform/database/social.ts';
import {
  type AdminContext,
  type Change,
  type Command,
  defineChange,
  defineRead,
  Refusal,
  UsageError,
} from '../command.ts';
import { neededText, optionalText, wholeNumber } from '../read-values.ts';
import { showTable } from '../show.ts';

const MAX_ORDER = 10_000;

const listTasks = defineRead({
  name: 'tasks list',
  about: 'Lists the tasks of early access.',
  positionals: [],
  options: {},
  read: async ({ admin: { db } }) => {
    const done = await db
      .select({ taskId: taskCompletions.taskId, count: count() })
      .from(taskCompletions)
      .where(eq(taskCompletions.state, 'verified'))
      .groupBy(taskCompletions.taskId);
    const doneBy = new Map(done.map((row) => [row.taskId, row.count]));
    const rows = await db.select().from(tasks).orderBy(asc(tasks.sortOrder), asc(tasks.id));
    return showTable(
      rows.map((task) => ({
        id: task.id,
        action: task.action,
        name: task.name,
        target: task.url ?? task.tweetId ?? task.tgUrl,
        order: task.sortOrder,
        isActive: task.isActive,
        doneBy: doneBy.get(task.id) ?? 0,
      })),
      'There are no tasks yet. Run: npm run engulf -- tasks create --help',
    );
  },
});

const createTask = defineChange({
  name: 'tasks create',
  about: 'Creates a task. Everybody who has not entered the raffle of the day has to do it from then on.',
  notes: ['Actions: connect, like, retweet, follow, join; any other word is a link to visit.'],
  positionals: ['action'],
  options: {
    name: { type: 'string', value: 'TEXT', about: 'What the player reads.' },
    description: { type: 'string', value: 'TEXT', about: 'More about it.' },
    url: { type: 'string', value: 'URL', about: 'What a follow or a link opens.' },
    'tweet-id': { type: 'string', value: 'ID', about: 'The post to like or repost.' },
    'tg-url': { type: 'string', value: 'URL', about: 'The group to join.' },
    order: { type: 'string', value: 'NUMBER', about: 'Its place in the list; 0 if not given.' },
  },
  prepare: async ({ admin, positionals: [action], values }) => {
    const task = {
      id: randomUUID(),
      action: action!,
      name: neededText(values, 'name'),
      description: optionalText(values, 'description') ?? '',
      url: urlOf(optionalText(values, 'url'), '--url'),
      tweetId: tweetIdOf(optionalText(values, 'tweet-id')),
      tgUrl: urlOf(optionalText(values, 'tg-url'), '--tg-url'),
      sortOrder: wholeNumber(optionalText(values, 'order') ?? '0', '--order', { min: 0, max: MAX_ORDER }),
    };
    const { url, tweetId, tgUrl } = task;
    const valid = validateTask({ _id: task.id, taskAction: task.action, url, tweetId, tgUrl });
    if (!valid.ok) throw new UsageError(describeFailure(valid.error).text);
    return {
      lines: [`a task "${task.name}" (${task.action})`],
      apply: async ({ note, report }) => {
        await admin.db.transaction(async (tx) => {
          await tx.insert(tasks).values(task);
          await note(tx, task.id, { after: task });
        });
        report(task.id);
      },
    };
  },
});

function urlOf(text: string | undefined, what: string): string | null {
  if (text === undefined) return null;
  if (URL.parse(text)?.protocol === 'https:') return text;
  throw new UsageError(`${what} must be an address that begins with https://, not "${text}".`);
}

function tweetIdOf(text: string | undefined): string | null {
  if (text === undefined || /^\d{1,20}$/.test(text)) return text ?? null;
  throw new UsageError(`--tweet-id must be the number of a post, not "${text}".`);
}

const disableTask = defineChange({
  name: 'tasks disable',
  about: 'Takes a task out of the list. Users who have done it keep it as done.',
  positionals: ['task'],
  options: {},
  prepare: ({ admin, positionals: [id] }) => prepareActive(admin, id!, { isActive: false }),
});

const enableTask = defineChange({
  name: 'tasks enable',
  about: 'Puts a task back into the list.',
  positionals: ['task'],
  options: {},
  prepare: ({ admin, positionals: [id] }) => prepareActive(admin, id!, { isActive: true }),
});

async function prepareActive(
  admin: AdminContext,
  id: string,
  { isActive }: { readonly isActive: boolean },
): Promise<Change> {
  const task = await findTask(admin, id);
  return {
    lines:
      task.isActive === isActive
        ? []
        : [`the task "${task.name}" is ${isActive ? 'offered' : 'no longer offered'}`],
    apply: async ({ note }) => {
      await admin.db.transaction(async (tx) => {
        await tx.update(tasks).set({ isActive }).where(eq(tasks.id, task.id));
        await note(tx, task.id, { before: { isActive: task.isActive }, after: { isActive } });
      });
    },
  };
}

async function findTask({ db }: AdminContext, id: string): Promise<TaskRow> {
  const [task] = await db.select().from(tasks).where(sql`${tasks.id}::text = ${id}`);
  if (!task) throw new Refusal(`There is no task ${id}. Run: npm run engulf -- tasks list`);
  return task;
}

export const TASK_COMMANDS: readonly Command[] = [listTasks, createTask, disableTask, enableTask];
