import { and, desc, eq, sql } from 'drizzle-orm';
import { auditLog } from '../../platform/database/operations.ts';
import { type Command, defineRead } from '../command.ts';
import { optionalText, wholeNumber } from '../read-values.ts';
import { showTable } from '../show.ts';

const MAX_ROWS = 10_000;

const listAudit = defineRead({
  name: 'audit list',
  about: 'Lists who changed what and why, newest first.',
  positionals: [],
  options: {
    subject: {
      type: 'string',
      value: 'TEXT',
      about: 'Only changes of this: the id of a lobby, user or payout, …',
    },
    action: { type: 'string', value: 'COMMAND', about: 'Only this command, or group of commands: lobby.' },
    limit: { type: 'string', value: 'NUMBER', about: 'How many at most; 50 if not given.' },
  },
  read: async ({ admin: { db }, values }) => {
    const subject = optionalText(values, 'subject');
    const action = optionalText(values, 'action');
    const limit = wholeNumber(optionalText(values, 'limit') ?? '50', '--limit', { min: 1, max: MAX_ROWS });
    const rows = await db
      .select()
      .from(auditLog)
      .where(
        and(
          subject === undefined ? undefined : eq(auditLog.subject, subject),
          action === undefined ? undefined : sql`${auditLog.action} || ' ' like ${`${action} %`}`,
        ),
      )
      .orderBy(desc(auditLog.id))
      .limit(limit);
    const shown = rows.map(({ at, actor, action: what, subject: whom, reason, details }) => ({
      at,
      actor,
      action: what,
      subject: whom,
      reason,
      details: JSON.stringify(details),
    }));
    return { ...showTable(shown, 'Nothing was changed yet.'), data: rows };
  },
});

export const AUDIT_COMMANDS: readonly Command[] = [listAudit];
