import { and, desc, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import { chatMessages } from '../platform/database/chat.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import type { ChatChannel } from './channels.ts';
import type { WrittenMessage } from './chat-event.ts';

const SERVER_NAME = 'Engulf';
const KEPT_PER_CHANNEL = 10_000;

type MessageRow = typeof chatMessages.$inferSelect;
type Author = Pick<UserRow, 'id' | 'name' | 'avatarUrl' | 'role'>;

/** Newest first. */
export type MessagePage = { readonly written: readonly WrittenMessage[]; readonly hasMorePages: boolean };

/** Messages without an author are the server's. */
export type NewMessage = Pick<MessageRow, 'channel' | 'message' | 'at'> & {
  readonly author: Author | undefined;
};

/** In the order of the messages. */
export async function writeMessages(
  tx: Database,
  messages: readonly NewMessage[],
): Promise<readonly WrittenMessage[]> {
  const rows = await tx
    .insert(chatMessages)
    .values(messages.map(({ author, ...row }) => ({ ...row, userId: author?.id ?? null })))
    .returning();
  return rows.map((row, nth) => describe(row, messages[nth]!.author));
}

/** Messages show the current name and picture of their author. */
export async function readMessages(
  db: Database,
  channel: ChatChannel,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<MessagePage> {
  const rows = await db
    .select({
      row: chatMessages,
      author: { id: users.id, name: users.name, avatarUrl: users.avatarUrl, role: users.role },
    })
    .from(chatMessages)
    .leftJoin(users, eq(users.id, chatMessages.userId))
    .where(and(eq(chatMessages.channel, channel), isNull(chatMessages.removedAt)))
    .orderBy(desc(chatMessages.id))
    .limit(perPage + 1)
    .offset((page - 1) * perPage);
  return {
    written: rows.slice(0, perPage).map(({ row, author }) => describe(row, author ?? undefined)),
    hasMorePages: rows.length > perPage,
  };
}

/** Undefined if there is no such message to remove. */
export async function removeMessage(tx: Database, id: number, at: Date): Promise<MessageRow | undefined> {
  const [row] = await tx
    .update(chatMessages)
    .set({ removedAt: at })
    .where(and(eq(chatMessages.id, id), isNull(chatMessages.removedAt)))
    .returning();
  return row;
}

export async function removeAllMessages(tx: Database, channel: ChatChannel, at: Date): Promise<number> {
  const rows = await tx
    .update(chatMessages)
    .set({ removedAt: at })
    .where(and(eq(chatMessages.channel, channel), isNull(chatMessages.removedAt)))
    .returning({ id: chatMessages.id });
  return rows.length;
}

/** Deletes old messages, and in each channel those above the limit. */
export async function forgetOldMessages(db: Database, before: Date, kept = KEPT_PER_CHANNEL): Promise<void> {
  await db.delete(chatMessages).where(lt(chatMessages.at, before));
  const channels = await db.selectDistinct({ channel: chatMessages.channel }).from(chatMessages);
  for (const { channel } of channels) {
    const tooOld = db
      .select({ id: chatMessages.id })
      .from(chatMessages)
      .where(eq(chatMessages.channel, channel))
      .orderBy(desc(chatMessages.id))
      .offset(kept)
      .limit(1);
    await db
      .delete(chatMessages)
      .where(and(eq(chatMessages.channel, channel), lte(chatMessages.id, sql`(${tooOld})`)));
  }
}

function describe(row: MessageRow, author: Author | undefined): WrittenMessage {
  const message: WrittenMessage['message'] = {
    id: String(row.id),
    sender: author?.name ?? SERVER_NAME,
    lobbyId: row.channel,
    user_id: row.userId,
    message: row.message,
    avatarUrl: author?.avatarUrl ?? null,
    timestamp: row.at.getTime(),
    type: row.userId === null ? 'system' : 'user',
  };
  return { message, isByAdmin: author?.role === 'admin' };
}
