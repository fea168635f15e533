import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from './database/open-database.ts';
import { switches } from './database/operations.ts';
import { rememberFor } from './remember.ts';

type Switch<Value> = {
  /** What it does, for operators. */
  readonly about: string;
  readonly schema: z.ZodType<Value>;
  readonly initial: Value;
};

const onOff = (about: string): Switch<boolean> => ({ about, schema: z.boolean(), initial: false });

const MAX_COUNTRIES = 250;

/** Everything that operators can change while the servers run. */
export const SWITCHES = {
  'maintenance-banner': onOff('The menu announces the maintenance from 12:00 PM to 3:00 PM UTC.'),
  'upgrade-page': onOff('The page says that the game is getting an upgrade, and offers nothing else.'),
  'beta-closed': onOff('The page says that the beta is closed, and offers nothing else.'),
  'blocked-countries': {
    about: 'Two-letter codes of countries (ISO 3166) whose visitors see the region page: ["GB","US"].',
    schema: z
      .array(z.string().regex(/^[A-Z]{2}$/, 'is not a two-letter code in capitals'))
      .max(MAX_COUNTRIES),
    initial: [],
  } as Switch<string[]>,
  'chat-closed': onOff('Nobody reads or writes in the chat; the page says that devs are cooking.'),
  'session-overlay': onOff('A window that plays warns of another session, and offers to take it over.'),
  'paid-entries-paused': onOff(
    'Nobody is asked to pay. Payments that were made before still get their seats.',
  ),
  'payouts-paused': onOff('No payout is signed. Those that were signed before may still arrive.'),
} as const;

export type SwitchName = keyof typeof SWITCHES;
export type SwitchValues = { readonly [Name in SwitchName]: (typeof SWITCHES)[Name]['initial'] };

export type Switches = {
  /** At most two seconds old. Do not call it in a transaction: the embedded database would wait for its end. */
  read(): Promise<SwitchValues>;
};

const REFRESH_MS = 2_000;

export function openSwitches(db: Database, nowMs: () => number): Switches {
  const remembered = rememberFor({ ms: REFRESH_MS, maxKeys: 1, nowMs }, () => readSwitches(db));
  return { read: () => remembered(undefined) };
}

/** A missing row means the initial value, and so does one of another version that this one cannot read. */
export async function readSwitches(db: Database): Promise<SwitchValues> {
  const rows = await db.select().from(switches);
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const values = Object.entries(SWITCHES).map(([name, { schema, initial }]) => {
    const parsed = schema.safeParse(stored.get(name));
    return [name, parsed.success ? parsed.data : initial];
  });
  return Object.fromEntries(values) as SwitchValues;
}

export function isSwitchName(text: string): text is SwitchName {
  return Object.hasOwn(SWITCHES, text);
}

/** Must run inside the transaction that notes the change. `undefined` clears it. */
export async function writeSwitch(
  tx: Database,
  name: SwitchName,
  value: unknown,
  nowMs: number,
): Promise<void> {
  if (value === undefined) {
    await tx.delete(switches).where(eq(switches.name, name));
    return;
  }
  const row = { name, value, changedAt: new Date(nowMs) };
  await tx.insert(switches).values(row).onConflictDoUpdate({ target: switches.name, set: row });
}
