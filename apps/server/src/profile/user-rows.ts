import type { users } from '../database/people.ts';

export type UserRow = typeof users.$inferSelect;
