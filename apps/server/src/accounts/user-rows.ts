import type { users } from '../platform/database/people.ts';

export type UserRow = typeof users.$inferSelect;
