import { createHmac, timingSafeEqual } from 'node:crypto';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { type UserId, userId } from '@engulf/domain/ids/entity-ids';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { tasks, telegramAccounts, telegramInbox } from '../platform/database/social.ts';
import type { OutsideFailure } from './outside-failure.ts';

/** A bot that is a member of the groups that people are asked to join. */
export type TelegramBot = {
  readonly apiUrl: string;
  readonly token: string;
  /** As in https://t.me/name. */
  readonly name: string;
};

const ANSWER_WITHIN_MS = 10_000;
const CODE_BYTES = 16;

/** Opens a chat with the bot; pressing Start there tells it which user that is. */
export function startLink(key: Uint8Array, bot: TelegramBot, id: UserId): string {
  return `https://t.me/${bot.name}?start=${id.replaceAll('-', '')}_${codeOf(key, id).toString('base64url')}`;
}

function codeOf(key: Uint8Array, id: UserId): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, CODE_BYTES);
}

function userOf(key: Uint8Array, start: string): UserId | undefined {
  const match = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([\w-]{22})$/.exec(
    start,
  );
  if (!match) return undefined;
  const id = userId(match.slice(1, 6).join('-'));
  const code = Buffer.from(match[6]!, 'base64url');
  return code.length === CODE_BYTES && timingSafeEqual(code, codeOf(key, id)) ? id : undefined;
}

const updatesSchema = z.array(
  z.object({
    update_id: z.int(),
    message: z.object({ text: z.string().optional(), from: z.object({ id: z.int() }).optional() }).optional(),
  }),
);

/** Reads what people sent to the bot. Safe to run in several workers: an account is connected once. */
export async function readTelegram(
  context: Pick<Context, 'db' | 'keys' | 'logger' | 'nowMs'>,
  bot: TelegramBot,
): Promise<void> {
  const [inbox] = await context.db.select().from(telegramInbox);
  const offset = inbox ? Number(inbox.lastUpdateId) + 1 : 0;
  const updates = await callBot(bot, 'getUpdates', { offset, allowed_updates: ['message'] }, updatesSchema);
  if (!updates.ok) {
    context.logger.warn({ code: 'TELEGRAM_NOT_READ', err: updates.error }, 'Telegram could not be read');
    return;
  }
  for (const { message } of updates.value) {
    const start = /^\/start (\S{1,64})$/.exec(message?.text ?? '')?.[1];
    const user = start === undefined ? undefined : userOf(context.keys.telegram, start);
    if (user !== undefined && message?.from) await connect(context, bot, user, String(message.from.id));
  }
  const last = updates.value.at(-1);
  if (!last) return;
  const lastUpdateId = BigInt(last.update_id);
  await context.db
    .insert(telegramInbox)
    .values({ id: 1, lastUpdateId })
    .onConflictDoUpdate({
      target: telegramInbox.id,
      set: { lastUpdateId: sql`greatest(${telegramInbox.lastUpdateId}, excluded.last_update_id)` },
    });
}

/** One Telegram account for a user, and one user for an account: the first one stays. */
async function connect(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  bot: TelegramBot,
  user: UserId,
  telegramId: string,
): Promise<void> {
  const connectedAt = new Date(nowMs());
  await db.insert(telegramAccounts).values({ userId: user, telegramId, connectedAt }).onConflictDoNothing();
  const groups = await db
    .select({ url: tasks.tgUrl })
    .from(tasks)
    .where(and(eq(tasks.action, 'join'), eq(tasks.isActive, true), isNotNull(tasks.tgUrl)));
  const text = `Now join, and press the button in the menu again: ${groups.map(({ url }) => url).join(' ')}`;
  await callBot(bot, 'sendMessage', { chat_id: telegramId, text }, z.unknown());
}

const MEMBERS: ReadonlySet<string> = new Set(['creator', 'administrator', 'member']);

/** Whether the user's Telegram account is in the group. */
export async function isInGroup(
  { db }: Pick<Context, 'db'>,
  bot: TelegramBot,
  user: UserId,
  groupUrl: string,
): Promise<Result<boolean, OutsideFailure>> {
  const [account] = await db.select().from(telegramAccounts).where(eq(telegramAccounts.userId, user));
  const group = /^https:\/\/t\.me\/(\w{4,32})\/?$/.exec(groupUrl)?.[1];
  if (!account || group === undefined) return ok(false);
  const asked = { chat_id: `@${group}`, user_id: Number(account.telegramId) };
  const member = await callBot(bot, 'getChatMember', asked, z.object({ status: z.string() }));
  return member.ok ? ok(MEMBERS.has(member.value.status)) : member;
}

const refusalSchema = z.object({ parameters: z.object({ retry_after: z.number().positive() }) });

async function callBot<Schema extends z.ZodType>(
  { apiUrl, token }: TelegramBot,
  method: string,
  body: object,
  schema: Schema,
): Promise<Result<z.infer<Schema>, OutsideFailure>> {
  try {
    const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const answer: unknown = await response.json();
    if (response.status === 429) {
      return err({
        kind: 'rate-limited',
        retryAfterMs: refusalSchema.parse(answer).parameters.retry_after * 1000,
      });
    }
    // The address holds the token, so it is not named.
    if (!response.ok)
      return err({ kind: 'failed', cause: new Error(`Telegram answered ${response.status}`) });
    return ok(schema.parse(z.object({ result: z.unknown() }).parse(answer).result));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : 'unknown';
    return err({ kind: 'failed', cause: new Error(`Telegram gave no usable answer: ${reason}`) });
  }
}
