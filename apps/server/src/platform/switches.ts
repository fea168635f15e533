import { z } from 'zod';
import type { Database } from './database/open-database.ts';
import { switches } from './database/operations.ts';

const SWITCHES = {
  maintenanceBanner: z.boolean().catch(false),
  upgrade: z.boolean().catch(false),
  betaClosed: z.boolean().catch(false),
  blockedCountries: z.array(z.string().regex(/^[A-Z]{2}$/)).catch([]),
} as const;

const schema = z.object(SWITCHES);
export type Switches = z.infer<typeof schema>;

/** What operators have switched; the defaults for what they have not. */
export async function readSwitches(db: Database): Promise<Switches> {
  const rows = await db.select().from(switches);
  return schema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}
