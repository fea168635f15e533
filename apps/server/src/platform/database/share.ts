import type { EntryId, UserId } from '@engulf/domain/ids/entity-ids';
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { entries } from './games.ts';
import { users } from './people.ts';

/** Cash-outs that their players share. Only share/share-cards.ts writes it. */
export const shareCards = pgTable('share_cards', {
  /** In the address of the public page. */
  key: text().primaryKey(),
  entryId: uuid()
    .$type<EntryId>()
    .notNull()
    .unique()
    .references(() => entries.id),
  userId: uuid()
    .$type<UserId>()
    .notNull()
    .references(() => users.id),
  /** The picture in the storage, named by the hash of its content. */
  storageKey: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});

export type ShareCardRow = typeof shareCards.$inferSelect;
