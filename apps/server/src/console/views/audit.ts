import { desc, eq, lt, sql } from 'drizzle-orm';
import { auditLog } from '../../platform/database/operations.ts';
import { users } from '../../platform/database/people.ts';
import { playerLink, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';

const ROWS = 100;

export const auditView: View = {
  title: 'Audit log',
  least: 'operator',
  read: async ({ db }, _user, { before }) => {
    const rows = await db
      .select({ row: auditLog, name: users.name, id: users.id })
      .from(auditLog)
      .leftJoin(users, eq(sql`${users.id}::text`, auditLog.actor))
      .where(before && /^\d{1,18}$/.test(before) ? lt(auditLog.id, BigInt(before)) : undefined)
      .orderBy(desc(auditLog.id))
      .limit(ROWS);
    const last = rows.length === ROWS ? rows.at(-1) : undefined;
    return [
      table(
        'What was changed',
        ['when', 'who', 'what', 'to what', 'why', 'details', 'signed'],
        rows.map(({ row, name, id }) => ({
          cells: {
            when: timed(row.at),
            who: id && name ? playerLink(id, name) : row.actor,
            what: row.action,
            'to what': row.subject,
            why: row.reason,
            details: JSON.stringify(row.details),
            signed: row.signature ? toned(`${row.signature.slice(0, 12)}…`, 'good') : toned('tool', 'quiet'),
          },
        })),
        {
          empty: 'Nothing was changed yet.',
          older: last && `?view=audit&before=${last.row.id}`,
        },
      ),
    ];
  },
};
