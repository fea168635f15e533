import { isChatCommand } from '@engulf/domain/chat/chat-command';
import { cleanChatMessage } from '@engulf/domain/chat/chat-text';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { ChatHistoryPage } from '@engulf/protocol/chat';
import { noteInAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { gatherCalls } from '../platform/gather.ts';
import { rememberFor } from '../platform/remember.ts';
import { type Channels, type ChatChannel, createChannels } from './channels.ts';
import { CHAT_EVENTS, type ChatEvent, type WrittenMessage } from './chat-event.ts';
import { openChatPages } from './chat-pages.ts';
import { type CommandRefusal, runCommand } from './commands.ts';
import { isJustKicked, readMutes } from './kicks.ts';
import { type NewMessage, removeMessage, writeMessages } from './messages.ts';
import { findMissedEvents } from './missed-events.ts';
import { maskProfanity } from './moderation.ts';
import { createWriteLimits } from './write-limits.ts';

export type ChatAuthor = {
  /** From the session, never from the message. */
  readonly userId: UserId;
  readonly address: string;
  /** Asked once the limits allow the message. Undefined if the user is banned. */
  findUser(): Promise<UserRow | undefined>;
};

type SayRefusal = Failure<
  | 'CHAT_EMPTY'
  | 'CHAT_TOO_LONG'
  | 'CHAT_CLOSED'
  | 'CHAT_MUTED'
  | 'CHAT_SLOW_MODE'
  | 'RATE_LIMITED'
  | 'USER_BANNED'
>;

/** The chat of all channels. The caller decides who may read or write a channel. */
export type Chat = {
  readonly channels: Channels;
  write(
    author: ChatAuthor,
    channel: ChatChannel,
    text: string,
  ): Promise<Result<undefined, SayRefusal | CommandRefusal>>;
  /** The moderated text of a private message. It is not stored. */
  whisper(author: ChatAuthor, text: string): Promise<Result<string, SayRefusal>>;
  read(
    channel: ChatChannel,
    page: { readonly page: number; readonly perPage: number },
    /** Of the reader. */
    address: string,
  ): Promise<Result<ChatHistoryPage, Failure<'CHAT_CLOSED' | 'RATE_LIMITED'>>>;
  /** The latest of a channel, newest first. */
  readLatest(
    channel: ChatChannel,
    count: number,
  ): Promise<Result<readonly WrittenMessage[], Failure<'CHAT_CLOSED'>>>;
  remove(
    admin: UserRow,
    messageId: number,
  ): Promise<Result<undefined, Failure<'FORBIDDEN' | 'CHAT_MESSAGE_NOT_FOUND'>>>;
  /** Events of all channels, from every process. Returns a function that unsubscribes. */
  subscribe(listener: (event: ChatEvent) => void): () => void;
};

/** Mutes change rarely and are needed for every message. */
const MUTES_MEMORY = { ms: 2_000, maxKeys: 1 } as const;
/** Writing many messages costs as much as writing one. */
const WRITES = { perSecond: 3, burst: 5 } as const;

export function openChat(
  context: Pick<Context, 'db' | 'bus' | 'rateLimits' | 'switches' | 'logger' | 'nowMs'>,
  { limitScale }: { readonly limitScale: number },
): Chat {
  const { db, bus, rateLimits, switches, logger, nowMs } = context;
  const limits = createWriteLimits(limitScale, rateLimits, nowMs);
  const listeners = new Set<(event: ChatEvent) => void>();
  const isOpen = async () => !(await switches.read())['chat-closed'];
  const pages = openChatPages(context, limitScale);
  const newMuteMemory = () => rememberFor({ ...MUTES_MEMORY, nowMs }, () => readMutes(db, nowMs()));
  let mutes = newMuteMemory();
  const pass = (event: ChatEvent) => {
    pages.note(event);
    if (event.kind === 'kicked') mutes = newMuteMemory();
    for (const listener of listeners) listener(event);
  };
  const own = new WeakSet<ChatEvent>();
  bus.follow(CHAT_EVENTS, (event) => {
    if (event.kind !== 'kicked' || own.has(event)) return pass(event);
    // A kick costs its player the game, so the bus alone is not believed.
    isJustKicked(db, event.userId, nowMs()).then(
      (isTrue) => isTrue && pass(event),
      (error: unknown) => logger.error({ code: 'CHAT_FAILED', err: error }, 'a kick could not be checked'),
    );
  });
  bus.onHealed((brokenSinceMs) => {
    findMissedEvents(db, new Date(brokenSinceMs)).then(
      (missed) => missed.forEach(pass),
      (error: unknown) =>
        logger.error({ code: 'CHAT_FAILED', err: error }, 'what the chat missed could not be read'),
    );
  });
  const keep = gatherCalls(WRITES, (messages: readonly NewMessage[]) => writeMessages(db, messages));
  const publish = (event: ChatEvent) => {
    own.add(event);
    bus.publish(CHAT_EVENTS, event);
  };
  const take = async (author: ChatAuthor, text: string) => {
    if (!(await limits.take(author))) return refuse('RATE_LIMITED');
    const line = cleanChatMessage(text);
    if (!line.ok) return line;
    const user = await author.findUser();
    return user ? ok({ user, line: line.value }) : refuse('USER_BANNED');
  };
  /** The moderated line, if its author may write now. */
  const moderate = async (user: UserRow, line: string): Promise<Result<string, SayRefusal>> => {
    if (!(await isOpen())) return refuse('CHAT_CLOSED');
    const mutedMs = ((await mutes(undefined)).get(user.id) ?? 0) - nowMs();
    if (mutedMs > 0) return refuse('CHAT_MUTED', { minutes: Math.ceil(mutedMs / 60_000) });
    return ok(maskProfanity(line));
  };
  return {
    channels: createChannels(context),
    write: async (author, channel, text) => {
      const asked = await take(author, text);
      if (!asked.ok) return asked;
      const { user, line } = asked.value;
      if (isChatCommand(line)) {
        const run = await runCommand(context, user, channel, line);
        if (!run.ok) return run;
        for (const event of run.value) publish(event);
        return ok(undefined);
      }
      const message = await moderate(user, line);
      if (!message.ok) return message;
      const taken = user.role === 'admin' ? ok(undefined) : await limits.takeLine(author, channel);
      if (!taken.ok) return taken;
      const written = await keep({ channel, message: message.value, at: new Date(nowMs()), author: user });
      publish({ kind: 'message', ...written });
      return ok(undefined);
    },
    whisper: async (author, text) => {
      const taken = await take(author, text);
      return taken.ok ? moderate(taken.value.user, taken.value.line) : taken;
    },
    read: async (channel, { page, perPage }, address) => {
      if (!(await isOpen())) return refuse('CHAT_CLOSED');
      const found = await pages.read(channel, { page, perPage }, address);
      if (!found) return refuse('RATE_LIMITED');
      const { written, hasMorePages } = found;
      return ok({ data: written.map(({ message }) => message), hasMorePages, currentPage: page });
    },
    readLatest: async (channel, count) =>
      (await isOpen()) ? ok(await pages.readLatest(channel, count)) : refuse('CHAT_CLOSED'),
    remove: async (admin, messageId) => {
      if (admin.role !== 'admin') return refuse('FORBIDDEN');
      const removed = await db.transaction(async (tx) => {
        const row = await removeMessage(tx, messageId, new Date(nowMs()));
        if (!row) return undefined;
        await noteInAudit(tx, nowMs(), {
          actor: admin.id,
          action: 'chat remove',
          subject: row.userId ?? row.channel,
          reason: 'removed in the chat',
          details: { channel: row.channel, messageId, message: row.message },
        });
        return row;
      });
      if (!removed) return refuse('CHAT_MESSAGE_NOT_FOUND');
      publish({ kind: 'removed', channel: removed.channel });
      return ok(undefined);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
