import type { MessageLimit } from '@engulf/protocol/token-bucket';
import type { Context } from '../platform/context.ts';
import type { ChatChannel } from './channels.ts';
import type { ChatEvent, WrittenMessage } from './chat-event.ts';
import { type MessagePage, readMessages } from './messages.ts';

type PageAsked = { readonly page: number; readonly perPage: number };

/** The history of all channels. */
export type ChatPages = {
  /** From memory, or with a query for which the reader may have to wait; undefined if it is one too many. */
  read(channel: ChatChannel, asked: PageAsked, address: string): Promise<MessagePage | undefined>;
  readLatest(channel: ChatChannel, count: number): Promise<readonly WrittenMessage[]>;
  note(event: ChatEvent): void;
};

/** What nearly everybody reads: ten pages, in memory whatever is written meanwhile. */
const RECENT = 100;
/** After this they are read again, because authors change their names and pictures. */
const RECENT_MS = 1_000;
/** Pages further back are a query each. */
const OLD_PER_ADDRESS: MessageLimit = { perSecond: 1, burst: 20 };
const OLD_IN_ALL: MessageLimit = { perSecond: 10, burst: 60 };

type Recent = { readonly readAtMs: number; written: Promise<readonly WrittenMessage[]> };

/** `limitScale` raises what may be read where many clients share an address. */
export function openChatPages(
  { db, nowMs, rateLimits }: Pick<Context, 'db' | 'rateLimits' | 'nowMs'>,
  limitScale: number,
): ChatPages {
  const known = new Map<ChatChannel, Recent>();
  const mayRead = (key: string, { perSecond, burst }: MessageLimit) =>
    rateLimits.take(key, { perSecond: perSecond * limitScale, burst: burst * limitScale });

  /** One more than can be asked for, which tells whether there are older ones. */
  const readRecent = (channel: ChatChannel): Promise<readonly WrittenMessage[]> => {
    const found = known.get(channel);
    if (found && nowMs() - found.readAtMs < RECENT_MS) return found.written;
    const written = readMessages(db, channel, { page: 1, perPage: RECENT + 1 }).then((page) => page.written);
    written.catch(() => known.delete(channel));
    known.set(channel, { readAtMs: nowMs(), written });
    return written;
  };

  return {
    read: async (channel, asked, address) => {
      const end = asked.page * asked.perPage;
      const recent = await readRecent(channel);
      if (end <= RECENT || recent.length <= RECENT) {
        return { written: recent.slice(end - asked.perPage, end), hasMorePages: recent.length > end };
      }
      const isAllowed =
        (await mayRead(`chat pages of ${address}`, OLD_PER_ADDRESS)) &&
        (await mayRead('chat pages', OLD_IN_ALL));
      return isAllowed ? readMessages(db, channel, asked) : undefined;
    },
    readLatest: async (channel, count) => (await readRecent(channel)).slice(0, count),
    note: (event) => {
      if (event.kind === 'removed') known.delete(event.channel);
      if (event.kind !== 'message') return;
      const { message, isByAdmin } = event;
      const recent = known.get(message.lobbyId as ChatChannel);
      // Whoever is told about a message must find it, also if it was written while the history was being read.
      if (!recent) return;
      recent.written = recent.written.then((written) => withMessage(written, { message, isByAdmin }));
      recent.written.catch(() => undefined);
    },
  };
}

function withMessage(written: readonly WrittenMessage[], added: WrittenMessage): readonly WrittenMessage[] {
  if (written.some(({ message }) => message.id === added.message.id)) return written;
  const newestFirst = [added, ...written].sort((a, b) => Number(b.message.id) - Number(a.message.id));
  return newestFirst.slice(0, RECENT + 1);
}
