import { sql } from 'drizzle-orm';
import type { Database } from './open-database.ts';

/**
 * For statements of every call, chat line or life: drizzle takes longer to build one than to send it, so this builds it once
 * for a connection, transactions on it included. The embedded database has a session for each transaction.
 */
export function prepareOnce<Query extends { prepare(name: string): unknown }>(
  build: (db: Database) => Query,
): (db: Database) => ReturnType<Query['prepare']> {
  const known = new WeakMap<object, ReturnType<Query['prepare']>>();
  return (db) => {
    const { session } = db as unknown as { readonly session: object };
    // Inside of transactions it gets a name when it is sent (keep-plans.ts).
    const query = known.get(session) ?? (build(db).prepare('') as ReturnType<Query['prepare']>);
    known.set(session, query);
    return query;
  };
}

/** Values that are given when the statement runs, each under the name of its column. */
export function places<Name extends string>(...names: Name[]): { readonly [name in Name]: never } {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as never;
}
