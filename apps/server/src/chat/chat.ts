import { isChatCommand } from '@engulf/domain/chat/chat-command';
import { cleanChatMessage } from '@engulf/domain/chat/chat-text';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { ChatHistoryPage } from '@engulf/protocol/chat';
import { noteInAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { rememberFor } from '../platform/remember.ts';
import type { ChatChannel } from './channels.ts';
import type { ChatEvent } from './chat-event.ts';
import { type CommandRefusal, runCommand } from './commands.ts';
import { readMutes } from './kicks.ts';
import { readMessages, removeMessage, writeMessage } from './messages.ts';
import { maskProfanity } from './moderation.ts';
import { createWriteLimits } from './write-limits.ts';

/** The user as the session says, never as the message claims. */
export type ChatAuthor = { readonly user: UserRow; readonly address: string };

type WriteRefusal =
  | Failure<'CHAT_EMPTY' | 'CHAT_TOO_LONG' | 'CHAT_CLOSED' | 'CHAT_MUTED' | 'RATE_LIMITED'>
  | CommandRefusal;

/** The chat of all channels. Who may write to or read a channel is for the caller to know. */
export type Chat = {
  write(author: ChatAuthor, channel: ChatChannel, text: string): Promise<Result<undefined, WriteRefusal>>;
  read(
    channel: ChatChannel,
    page: { readonly page: number; readonly perPage: number },
  ): Promise<Result<ChatHistoryPage, Failure<'CHAT_CLOSED'>>>;
  remove(
    admin: UserRow,
    messageId: number,
  ): Promise<Result<undefined, Failure<'FORBIDDEN' | 'CHAT_MESSAGE_NOT_FOUND'>>>;
  /** What happens in this process, in any channel. Returns a function that ends it. */
  subscribe(listener: (event: ChatEvent) => void): () => void;
};

/** Mutes change rarely and are needed for every message. */
const MUTES_MEMORY = { ms: 2_000, maxKeys: 1 } as const;
/** Readers who arrive at the same time share their queries. */
const PAGE_MEMORY = { ms: 1_000, maxKeys: 100 } as const;

export function openChat(context: Context, { limitScale }: { readonly limitScale: number }): Chat {
  const { db, switches, nowMs } = context;
  const limits = createWriteLimits(limitScale, nowMs);
  const listeners = new Set<(event: ChatEvent) => void>();
  const isOpen = async () => !(await switches.read())['chat-closed'];
  const newPageMemory = () =>
    rememberFor({ ...PAGE_MEMORY, nowMs }, (key: string) => {
      const [channel, page, perPage] = JSON.parse(key) as [ChatChannel, number, number];
      return readMessages(db, channel, { page, perPage });
    });
  let pages = newPageMemory();
  const newMuteMemory = () => rememberFor({ ...MUTES_MEMORY, nowMs }, () => readMutes(db, nowMs()));
  let mutes = newMuteMemory();
  const publish = (event: ChatEvent) => {
    // Whoever hears of this and then reads must find it.
    pages = newPageMemory();
    if (event.kind === 'kicked') mutes = newMuteMemory();
    for (const listener of listeners) listener(event);
  };
  return {
    write: async ({ user, address }, channel, text) => {
      if (!limits.take({ userId: user.id, address })) return refuse('RATE_LIMITED');
      const line = cleanChatMessage(text);
      if (!line.ok) return line;
      if (isChatCommand(line.value)) {
        const run = await runCommand(context, user, channel, line.value);
        if (!run.ok) return run;
        for (const event of run.value) publish(event);
        return ok(undefined);
      }
      if (!(await isOpen())) return refuse('CHAT_CLOSED');
      const mutedMs = ((await mutes(undefined)).get(user.id) ?? 0) - nowMs();
      if (mutedMs > 0) return refuse('CHAT_MUTED', { minutes: Math.ceil(mutedMs / 60_000) });
      const message = maskProfanity(line.value);
      const written = await writeMessage(db, { channel, message, at: new Date(nowMs()) }, user);
      publish({ kind: 'message', message: written });
      return ok(undefined);
    },
    read: async (channel, { page, perPage }) => {
      if (!(await isOpen())) return refuse('CHAT_CLOSED');
      return ok(await pages(JSON.stringify([channel, page, perPage])));
    },
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
