import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { hasSqlState } from './sql-state.ts';
import { together } from './together.ts';

test('whichever statement leaves first, the one that failed says why', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const DIVISION_BY_ZERO = '22012';
    for (const isFirst of [true, false]) {
      const failed = await db
        .transaction(async (tx) => {
          const dividing = tx.execute(sql`select 1 / 0`);
          const bystander = tx.execute(sql`select 1`);
          // The other one is sent before it.
          const late = async () => {
            for (let turn = 0; turn < 20; turn++) await Promise.resolve();
            return bystander.execute();
          };
          return together(isFirst ? [dividing.execute(), late()] : [late(), dividing.execute()]);
        })
        .catch((error: unknown) => error);
      expect(hasSqlState(failed, DIVISION_BY_ZERO)).toBe(true);
    }
  } finally {
    await close();
  }
});
