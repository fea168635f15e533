import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import type { ChatHistoryPage, ChatMessage } from '@engulf/protocol/chat';

/** What the panel has of a channel: oldest first, up to the newest, without gaps. */
export type ChatMessages = {
  readonly list: readonly ChatMessage[];
  readonly hasOlder: boolean;
};

/** The oldest are let go while the reader is at the end; scrolling back loads them again. */
const MAX_KEPT = 300;
const KEPT_AFTER_CUT = 100;

export function firstPage(page: ChatHistoryPage): ChatMessages {
  return { list: page.data.toReversed(), hasOlder: page.hasMorePages };
}

/**
 * After a pause: if messages between the newest page and the earlier ones are missing, only the page and what has arrived
 * since are kept.
 */
export function withNewestPage(
  known: ChatMessages,
  page: ChatHistoryPage,
  before: ChatMessages,
): ChatMessages {
  const ids = new Set(page.data.map(({ id }) => id));
  const isJoined = before.list.some(({ id }) => ids.has(id));
  if (isJoined) return { ...known, list: merge(known.list, page.data) };
  const { list, hasOlder } = firstPage(page);
  const newest = Number(list.at(-1)?.id ?? 0);
  const later = known.list.filter(({ id }) => Number(id) > newest);
  return { list: [...list, ...later], hasOlder };
}

/** New messages push older ones to later pages, so the page may bring some that are known. */
export function withOlderPage(known: ChatMessages, page: ChatHistoryPage): ChatMessages {
  return { list: merge(known.list, page.data), hasOlder: page.hasMorePages };
}

export function olderPageNumber({ list }: ChatMessages): number {
  return Math.floor(list.length / CHAT_LIMITS.historyPageSize) + 1;
}

export function withMessages(
  known: ChatMessages,
  messages: readonly ChatMessage[],
  isReaderAtEnd: boolean,
): ChatMessages {
  const list = merge(known.list, messages);
  if (!isReaderAtEnd || list.length <= MAX_KEPT) return { ...known, list };
  return { list: list.slice(-KEPT_AFTER_CUT), hasOlder: true };
}

/** By id, each once. */
function merge(known: readonly ChatMessage[], added: readonly ChatMessage[]): readonly ChatMessage[] {
  const byId = new Map([...known, ...added].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => Number(a.id) - Number(b.id));
}
