import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { type TaskRow, taskVisits } from '../platform/database/social.ts';
import type { OutsideFailure } from './outside-failure.ts';
import { isInGroup, startLink, type TelegramBot } from './telegram.ts';
import { hasLiked, hasReposted, isFollowing, type XApp } from './x-api.ts';
import { findXAccount } from './x-sign-in.ts';

/** Knows what tasks of one kind lead to, and whether a user has done them. */
export type TaskProvider = {
  /** The page on which the task is done. */
  targetOf(task: TaskRow, visitor: Visitor): string;
  isDone(context: Context, userId: UserId, task: TaskRow): Promise<Result<boolean, OutsideFailure>>;
};

type Visitor = {
  readonly userId: UserId;
  /** The name under which the browser reaches us. */
  readonly ourOrigin: string;
  /** Signs what comes back to us through others. */
  readonly key: Uint8Array;
};

/** The connections to X and Telegram. Undefined if not configured. */
export type Social = { readonly x: XApp | undefined; readonly telegram: TelegramBot | undefined };

/** Undefined for a task that cannot be verified with this configuration: such tasks are not offered. */
export function providerOf({ x, telegram }: Social, action: string): TaskProvider | undefined {
  switch (action) {
    case 'connect':
      return x && connection;
    case 'like':
    case 'retweet':
    case 'follow':
      return x?.bearerToken === undefined ? undefined : actionOnX(x);
    case 'join':
      return telegram && membership(telegram);
    default:
      return linkVisit;
  }
}

/** Done when the account is connected, so no worker has to check it. */
const connection: TaskProvider = {
  targetOf: (_task, { ourOrigin }) => ourOrigin,
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
    targetOf: (task, { ourOrigin }) => {
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

/** The bot has to know the user's Telegram account, so the link leads through a chat with it. */
function membership(bot: TelegramBot): TaskProvider {
  return {
    targetOf: (_task, { userId, key }) => startLink(key, bot, userId),
    isDone: (context, userId, task) => isInGroup(context, bot, userId, task.tgUrl!),
  };
}

/** 'engulf' in https://x.com/engulf. */
function usernameIn(url: string | null): string | undefined {
  return url === null ? undefined : /\/@?(\w{1,15})\/?(?:[?#]|$)/.exec(url)?.[1];
}
