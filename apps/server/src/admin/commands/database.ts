import { readWalArchive } from '../../platform/database/wal-archive.ts';
import { type Command, defineChange, defineRead, Refusal } from '../command.ts';

const status = defineRead({
  name: 'database status',
  about: 'Says which migrations of this version the database lacks. Changes nothing.',
  positionals: [],
  options: {},
  ofAnyVersion: true,
  read: async ({ admin }) => {
    const pending = await admin.migrations.pending();
    const lines =
      pending.length === 0 ? ['The database is up to date.'] : pending.map((name) => `lacks ${name}`);
    return { data: { pending }, lines };
  },
});

const migrate = defineChange({
  name: 'database migrate',
  about:
    'Applies the migrations of this version, all or none. Servers of this version do so when they start.',
  notes: ['Migrations only add: servers of the version before go on beside it.'],
  positionals: [],
  options: {},
  ofAnyVersion: true,
  prepare: async ({ admin }) => {
    const pending = await admin.migrations.pending();
    return {
      lines: pending.map((name) => `apply ${name}`),
      apply: async ({ note, report }) => {
        await admin.migrations.apply();
        for (const name of pending) report(name);
        await note(admin.db, 'database', { migrations: pending });
      },
    };
  },
});

/** With archive_timeout at a minute, as the shipped configurations have it. */
const STALE_AFTER_MS = 900_000;

const archive = defineRead({
  name: 'database archive',
  about:
    'Checks that PostgreSQL archives its log, on which point-in-time recovery rests. Fails if it does not.',
  positionals: [],
  options: {},
  ofAnyVersion: true,
  read: async ({ admin: { db, nowMs } }) => {
    const { isOn, lastArchivedAt, archivedUntil, isFailing } = await readWalArchive(db);
    if (!isOn) throw new Refusal('archive_mode is off: a restore would lose everything since the last dump.');
    if (isFailing) throw new Refusal('The newest attempt to archive failed: see the log of PostgreSQL.');
    const since = archivedUntil.toISOString();
    if (nowMs() - archivedUntil.getTime() > STALE_AFTER_MS)
      throw new Refusal(`Nothing was archived since ${since}: is archive_timeout set?`);
    return {
      data: { lastArchivedAt },
      lines: [
        lastArchivedAt
          ? `Archived at ${since}.`
          : `Nothing was archived yet: PostgreSQL started at ${since}. Look again in five minutes.`,
      ],
    };
  },
});

export const DATABASE_COMMANDS: readonly Command[] = [status, migrate, archive];
