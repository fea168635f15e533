import type { Database } from './open-database.ts';

/**
 * For queries of every call or chat line: drizzle takes longer to build a query than to send it, so this builds it once
 * for a database. A transaction is a database of its own.
 */
export function prepareOnce<Query extends { prepare(name: string): unknown }>(
  build: (db: Database) => Query,
): (db: Database) => ReturnType<Query['prepare']> {
  const known = new WeakMap<Database, ReturnType<Query['prepare']>>();
  return (db) => {
    // Without a name PostgreSQL keeps nothing, so any connection of any pooler can run it.
    const query = known.get(db) ?? (build(db).prepare('') as ReturnType<Query['prepare']>);
    known.set(db, query);
    return query;
  };
}
