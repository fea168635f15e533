import type { Database } from './database/open-database.ts';
import { auditLog } from './database/operations.ts';

export type AuditEntry = Pick<typeof auditLog.$inferInsert, 'actor' | 'action' | 'subject' | 'reason'> & {
  readonly details?: Readonly<Record<string, unknown>>;
  /** What the actor's wallet signed. */
  readonly signed?: { readonly text: string; readonly signature: string } | undefined;
};

/** Records who changed what and why. Call it in the transaction of the change, so that no change goes unrecorded. */
export async function noteInAudit(
  tx: Database,
  nowMs: number,
  { details = {}, signed, ...entry }: AuditEntry,
): Promise<void> {
  const proof = signed && { signedText: signed.text, signature: signed.signature };
  await tx.insert(auditLog).values({ ...entry, ...proof, details, at: new Date(nowMs) });
}
