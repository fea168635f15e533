import { bigserial, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = () => timestamp({ withTimezone: true });

/** Every change that a person made with more rights than a player has. Append-only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    at: at().notNull(),
    /** An operator's name at the machine, or an admin's user id. */
    actor: text().notNull(),
    /** In words of the command: `lobby price`, `chat kick`. */
    action: text().notNull(),
    /** What it was done to. */
    subject: text().notNull(),
    reason: text().notNull(),
    details: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [index().on(table.subject), index().on(table.at)],
);

/** What operators change while the servers run. A missing row means the default. */
export const switches = pgTable('switches', {
  name: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: at().notNull(),
});
