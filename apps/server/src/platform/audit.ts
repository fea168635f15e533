import type { Database } from './database/open-database.ts';
import { auditLog } from './database/operations.ts';

export type AuditEntry = Pick<typeof auditLog.$inferInsert, 'actor' | 'action' | 'subject' | 'reason'> & {
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Records who changed what and why. Call it in the transaction of the change, so that no change goes unrecorded. */
export async function noteInAudit(
  tx: Database,
  nowMs: number,
  { details = {}, ...entry }: AuditEntry,
): Promise<void> {
  await tx.insert(auditLog).values({ ...entry, details, at: new Date(nowMs) });
}
