import {
  type Archiving,
  archiveRecording,
  isSamePlace,
  listArchivable,
  sumArchivable,
} from '../../matches/archive.ts';
import type { AdminContext } from '../command.ts';
import { type Command, defineChange, Refusal, UsageError } from '../command.ts';
import { durationMs, neededText, timeOf } from '../read-values.ts';

const DAY_MS = 86_400_000;
/** No process can still write to a recording that ended so long ago, not even one that was asleep. */
const MIN_AGE_DAYS = 7;
const REPORT_EVERY = 100;
/** The rest is in the log. */
const MAX_SHOWN = 20;

const archive = defineChange({
  name: 'archive',
  about: 'Moves recordings of old matches to the archive (ARCHIVE_DIR or ARCHIVE_S3_BUCKET).',
  notes: [
    'They are served from there as before. Only matches of which everything is settled, paid and on the chain are moved.',
    'Each recording is compared with its hash in the archive before it is removed from the storage.',
    'Should it be interrupted, run it again.',
  ],
  positionals: [],
  options: {
    before: {
      type: 'string',
      value: 'TIME',
      about: `Matches that ended before this: 90d, 2026-12-01 or 2026-12-01T18:00Z. At least ${MIN_AGE_DAYS} days ago.`,
    },
  },
  prepare: async ({ admin, values }) => {
    const before = readBefore(neededText(values, 'before'), admin.nowMs());
    const archiving = archivingOf(admin);
    const { matches, parts, bytes, waiting } = await sumArchivable(admin.db, before);
    const what = `${matches} recordings of matches that ended before ${before.toISOString()}`;
    return {
      lines:
        matches === 0
          ? []
          : [
              `${what} go to the archive: ${parts} files, ${(bytes / 1e6).toFixed(1)} MB`,
              ...(waiting > 0
                ? [`${waiting} others stay: something of them is not paid or decided yet`]
                : []),
            ],
      apply: async ({ note, report }) => {
        if (await isSamePlace(archiving))
          throw new Refusal('The archive and the storage are the same place.');
        const problems: string[] = [];
        let moved = 0;
        for await (const match of listArchivable(admin.db, before)) {
          const { id, finalHash: hash, partCount, recordingBytes } = match;
          const details = { archived: { hash, partCount, recordingBytes } };
          const problem = await archiveRecording(archiving, match, (tx) => note(tx, id, details));
          if (problem === undefined) moved++;
          else problems.push(`${id}: ${problem}`);
          if (problem === undefined && moved % REPORT_EVERY === 0) report(`${moved} recordings`);
        }
        report(`${moved} recordings are in the archive`);
        if (problems.length > 0)
          throw new Refusal(
            [`${problems.length} stay in the storage:`, ...problems.slice(0, MAX_SHOWN)].join('\n  '),
          );
      },
    };
  },
});

function archivingOf({ archive, ...admin }: AdminContext): Archiving {
  if (!archive)
    throw new Refusal(
      'No archive is configured: set ARCHIVE_DIR or ARCHIVE_S3_BUCKET, for all processes with the roles api, game and worker first.',
    );
  return { ...admin, archive };
}

function readBefore(text: string, nowMs: number): Date {
  const isAge = /^\d+d$/.test(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const ms = isAge
    ? nowMs - durationMs(text, '--before')
    : timeOf(isDay ? `${text}T00:00Z` : text, '--before');
  if (ms > nowMs - MIN_AGE_DAYS * DAY_MS)
    throw new UsageError(`--before must be at least ${MIN_AGE_DAYS} days ago.`);
  return new Date(ms);
}

export const ARCHIVE_COMMANDS: readonly Command[] = [archive];
