import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { isNull } from 'drizzle-orm';
import { bigserial, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './people.ts';

const at = () => timestamp({ withTimezone: true });

export const chatMessages = pgTable(
  'chat_messages',
  {
    /** In the order of writing, over all channels. */
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** `global`, or the id of a lobby. */
    channel: text().$type<'global' | LobbyId>().notNull(),
    /** Null for what the server says. */
    userId: uuid()
      .$type<UserId>()
      .references(() => users.id),
    message: text().notNull(),
    at: at().notNull(),
    /** Removed by an admin: kept for a while, but shown to nobody. */
    removedAt: at(),
  },
  (table) => [
    index('chat_messages_shown').on(table.channel, table.id).where(isNull(table.removedAt)),
    index().on(table.at),
  ],
);

/** Users who were kicked and may not write for a while. */
export const chatMutes = pgTable('chat_mutes', {
  userId: uuid()
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id),
  until: at().notNull(),
});

/** Users whom an operator keeps from writing. Apart from the kicks, which also cost the player the running game. */
export const chatBans = pgTable('chat_bans', {
  userId: uuid()
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id),
  until: at().notNull(),
});
