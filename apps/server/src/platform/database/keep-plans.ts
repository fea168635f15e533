import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Statements with lists of any length have many texts, and each costs every connection some 20 KB. */
const MAX_TEXTS = 200;

/** The names of statements, the same on every connection of this process. */
const names = new Map<string, string>();

type Config = { readonly text: string; readonly name?: string };

/**
 * For transactions: planning their statements took PostgreSQL longer than running them. With a name it keeps the plan of each,
 * for this connection, and chooses between it and a new plan by what they cost. What is read outside of transactions, statistics
 * above all, is planned for its values every time.
 */
export function keepPlans(client: pg.PoolClient): pg.PoolClient {
  const query = (config: Config, values: unknown[]) =>
    client.query(values.length > 0 ? { ...config, name: nameOf(config.text) } : config, values);
  return { query } as unknown as pg.PoolClient;
}

/** Undefined for one too many: it is planned every time. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_TEXTS) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
