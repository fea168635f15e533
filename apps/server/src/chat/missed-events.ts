import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { gte } from 'drizzle-orm';
import { chatMessages } from '../platform/database/chat.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { ChatChannel } from './channels.ts';
import type { ChatEvent } from './chat-event.ts';
import { listKickedSince } from './kicks.ts';

/**
 * The events of other processes that were missed during an outage of the bus. Lines of a lobby are written in the
 * process of its room, except for a few from the menu, so only the menu reads them again; removals and kicks may concern
 * any room.
 */
export async function findMissedEvents(db: Database, since: Date): Promise<ChatEvent[]> {
  const cleared = await db
    .selectDistinct({ channel: chatMessages.channel })
    .from(chatMessages)
    .where(gte(chatMessages.removedAt, since));
  const channels = new Set<ChatChannel>([GLOBAL_CHANNEL, ...cleared.map(({ channel }) => channel)]);
  return [
    ...[...channels].map((channel) => ({ kind: 'removed', channel }) as const),
    ...(await listKickedSince(db, since)).map((userId) => ({ kind: 'kicked', userId }) as const),
  ];
}
