import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { type TaskRow, taskVisits } from '../platform/database/social.ts';
import { hasLiked, hasReposted, isFollowing, type XApp, type XFailure } from './x-api.ts';
import { findXAccount } from './x-sign-in.ts';

/** Knows what tasks of one kind lead to, and whether a user has done them. */
export type TaskProvider = {
  /** The page on which the task is done. */
  targetOf(task: TaskRow, ourOrigin: string): string;
  isDone(context: Context, userId: UserId, task: TaskRow): Promise<Result<boolean, XFailure>>;
};

/** The parts of the server that speak to others. Undefined what is not configured. */
export type Social = { readonly x: XApp | undefined };

/** Undefined for a task that cannot be verified with this configuration: such tasks are not offered. */
export function providerOf({ x }: Social, action: string): TaskProvider | undefined {
  switch (action) {
    case 'connect':
      return x && connection;
    case 'like':
    case 'retweet':
    case 'follow':
      return x?.bearerToken === undefined ? undefined : actionOnX(x);
    case 'join':
      // A group's members are only known to a bot in it, which does not exist yet.
      return undefined;
    default:
      return linkVisit;
  }
}

/** Done when the account is connected, which no worker needs to find out. */
const connection: TaskProvider = {
  targetOf: (_task, ourOrigin) => ourOrigin,
  isDone: async (context, userId) => ok((await findXAccount(context, { id: userId })) !== undefined),
};

/** Done when the link was followed through our own redirect. */
const linkVisit: TaskProvider = {
  targetOf: (task) => task.url!,
  isDone: async ({ db }, userId, task) => {
    const ofUser = and(eq(taskVisits.userId, userId), eq(taskVisits.taskId, task.id));
    return ok((await db.select().from(taskVisits).where(ofUser)).length > 0);
  },
};

function actionOnX(x: XApp): TaskProvider {
  return {
    targetOf: (task, ourOrigin) => {
      const username = usernameIn(task.url);
      const query =
        task.action === 'follow' && username !== undefined
          ? { screen_name: username }
          : { tweet_id: task.tweetId ?? '' };
      return `${x.webUrl(ourOrigin)}/intent/${task.action}?${new URLSearchParams(query)}`;
    },
    isDone: async (context, userId, task) => {
      const account = await findXAccount(context, { id: userId });
      if (!account) return ok(false);
      if (task.action === 'like') return hasLiked(x, account.xId, task.tweetId!);
      if (task.action === 'retweet') return hasReposted(x, account.xId, task.tweetId!);
      const username = usernameIn(task.url);
      return isFollowing(x, account.xId, username === undefined ? { tweetId: task.tweetId! } : { username });
    },
  };
}

/** 'engulf' in https://x.com/engulf. */
function usernameIn(url: string | null): string | undefined {
  return url === null ? undefined : /\/@?(\w{1,15})\/?(?:[?#]|$)/.exec(url)?.[1];
}
