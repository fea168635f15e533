import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { entryCommands, processDies } from '../../testing/models/entry-commands.ts';
import { createModel, createReal, openEntryDatabase } from '../../testing/models/entry-model.ts';
import {
  ENTRY_STATES,
  type EntryState,
  entries,
  GIVEN_UP_STATES,
  WAITING_STATES,
} from '../platform/database/games.ts';
import { advance, canAdvance } from './entry-states.ts';

let home: Awaited<ReturnType<typeof openEntryDatabase>>;

beforeAll(async () => {
  home = await openEntryDatabase();
});
afterAll(() => home.database.close());

const STATES = Object.keys(ENTRY_STATES) as EntryState[];
const PLAYERS = 2;

test('every state is reachable, and every dead end is not live', () => {
  const reached = new Set<EntryState>(['created', 'ticketSent']);
  for (const state of reached) for (const next of ENTRY_STATES[state].next) reached.add(next);
  expect([...reached].sort()).toEqual([...STATES].sort());
  for (const { next, isLive } of Object.values(ENTRY_STATES)) expect(next.length > 0 || !isLive).toBe(true);
});

test('an entry waits as long as its payment may fail, and one that was given up may get its seat back', () => {
  const waiting = STATES.filter((state) => canAdvance(state, 'payment_failed'));
  expect([...WAITING_STATES].sort()).toEqual(waiting.sort());
  const givenUp = STATES.filter((state) => !ENTRY_STATES[state].isLive && canAdvance(state, 'ticketSent'));
  expect([...GIVEN_UP_STATES].sort()).toEqual(givenUp.sort());
});

test.each([
  ['entries', 'entries/entry-states.ts'],
  ['gatherers', 'gathering/gatherers.ts'],
  ['lobbies', 'lobbies/lobby-changes.ts'],
  ['lobbyPools', 'money/pool-readings.ts'],
  ['payments', 'payments/decide-payment.ts'],
  ['payouts', 'money/payouts/payout-states.ts'],
  ['payoutBatches', 'money/payouts/payout-states.ts'],
])('the table %s is written by %s alone', (table, owner) => {
  const source = join(import.meta.dirname, '..');
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !/\.test\.ts$|(^|\/)testing\//.test(file),
  );
  const writes = new RegExp(`\\.(insert|update|delete)\\(${table}\\)`);
  expect(files.filter((file) => writes.test(readFileSync(join(source, file), 'utf8')))).toEqual([owner]);
});

test('a transition that is not in the table is refused and changes nothing', async () => {
  const { db } = home.database;
  const [row] = await db.select().from(entries).limit(1);
  expect(row).toBeUndefined();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...STATES), fc.constantFrom(...STATES), async (from, to) => {
      fc.pre(!canAdvance(from, to));
      const entry = { id: crypto.randomUUID() as never, state: from };
      await expect(advance(db, entry, to, {} as never)).rejects.toThrow(`cannot become ${to}`);
    }),
  );
});

test('any sequence of events leaves every entry where the model says, and the books balanced', async () => {
  const runs = fc.commands(entryCommands(PLAYERS), { maxCommands: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(runs, async (commands) => {
      const model = createModel(PLAYERS);
      const real = await createReal(home, model);
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await processDies.run(model, real);
    }),
    { numRuns: 40 },
  );
  const { faults } = await auditLedger(home.database.db);
  expect(faults).toEqual([]);
}, 300_000);
