import { sql } from 'drizzle-orm';
import type { Database } from './open-database.ts';

export type WalArchive = {
  readonly isOn: boolean;
  readonly lastArchivedAt: Date | undefined;
  /**
   * What is not archived is at most as old as this. PostgreSQL forgets its statistics when it crashes, and archives again only
   * after `checkpoint_timeout` then.
   */
  readonly archivedUntil: Date;
  /** The newest attempt failed. */
  readonly isFailing: boolean;
};

type Row = {
  readonly mode: string;
  readonly archived: string | null;
  readonly failed: string | null;
  /** Since when it counts. */
  readonly counted: string;
};

/** What PostgreSQL says of its archive, without which a restore loses what happened since the last dump. */
export async function readWalArchive(db: Database): Promise<WalArchive> {
  const { rows } = await db.execute<Row>(sql`
    select current_setting('archive_mode') as mode, last_archived_time::text as archived, last_failed_time::text as failed,
      coalesce(stats_reset, pg_postmaster_start_time())::text as counted
    from pg_stat_archiver`);
  const { mode, archived, failed, counted } = rows[0]!;
  const lastArchivedAt = archived === null ? undefined : new Date(archived);
  const isFailing = failed !== null && (lastArchivedAt === undefined || new Date(failed) > lastArchivedAt);
  return {
    isOn: mode !== 'off',
    lastArchivedAt,
    archivedUntil: lastArchivedAt ?? new Date(counted),
    isFailing,
  };
}
