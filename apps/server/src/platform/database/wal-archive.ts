import { sql } from 'drizzle-orm';
import type { Database } from './open-database.ts';

export type WalArchive = {
  readonly isOn: boolean;
  readonly lastArchivedAt: Date | undefined;
  /** The newest attempt failed. */
  readonly isFailing: boolean;
};

/** What PostgreSQL says of its archive, without which a restore loses what happened since the last dump. */
export async function readWalArchive(db: Database): Promise<WalArchive> {
  const { rows } = await db.execute<{ mode: string; archived: string | null; failed: string | null }>(sql`
    select current_setting('archive_mode') as mode, last_archived_time::text as archived, last_failed_time::text as failed
    from pg_stat_archiver`);
  const { mode, archived, failed } = rows[0]!;
  const lastArchivedAt = archived === null ? undefined : new Date(archived);
  const isFailing = failed !== null && (lastArchivedAt === undefined || new Date(failed) > lastArchivedAt);
  return { isOn: mode !== 'off', lastArchivedAt, isFailing };
}
