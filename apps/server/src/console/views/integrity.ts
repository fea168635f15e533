import { isUuid } from '@engulf/domain/ids/uuid';
import { inArray } from 'drizzle-orm';
import { describeCase } from '../../admin/commands/integrity.ts';
import { findCase, listCases } from '../../integrity/cases.ts';
import { type UserRow, users } from '../../platform/database/people.ts';
import { isOwnCase } from '../allowed-commands.ts';
import { fields, linked, number, offer, playerLink, table, timed, toned } from '../sections.ts';
import type { ConsoleContext, View } from '../view.ts';

export const integrityView: View = {
  title: 'Integrity',
  least: 'operator',
  read: async (context, user, { id }) => {
    const row = id !== undefined && isUuid(id) ? await findCase(context.db, id) : undefined;
    if (!row || isOwnCase(user, row)) return [await openCases(context, user)];
    const { player, partner, words, links, moments } = await describeCase(context, row);
    const act = (label: string, ...names: string[]) => ({
      label,
      command: 'integrity act',
      positionals: [row.id],
      options: Object.fromEntries(names.map((name) => [name, true as const])),
    });
    const isOpen = row.state === 'open';
    return [
      fields(
        `Case about ${player}`,
        {
          state: toned(row.appealedAt ? `${row.state}, appealed` : row.state, isOpen ? 'warn' : 'quiet'),
          player: playerLink(row.actor, player),
          with: partner && row.partner ? playerLink(row.partner, partner) : null,
          opened: timed(row.openedAt),
          decided: row.reason && `${(row.decision ?? []).join(', ') || row.state}: ${row.reason}`,
        },
        offer(
          user,
          isOpen && act('Warn', 'warn'),
          isOpen && act('Hold payouts', 'hold'),
          isOpen && act('Ban', 'ban'),
          isOpen && row.partner !== null && act('Keep apart', 'apart'),
          row.state !== 'dismissed' && {
            label: 'Dismiss',
            command: 'integrity dismiss',
            positionals: [row.id],
          },
        ),
      ),
      table(
        'What was found',
        ['in words'],
        [...words, ...links].map((text) => ({ cells: { 'in words': text } })),
        { empty: '', note: 'A partner is not accused. Look at the moments before deciding.' },
      ),
      table(
        'Moments',
        ['what', 'look'],
        moments.map(({ what, link }) => ({ cells: { what, look: linked('replay', link) } })),
        { empty: 'No moments were kept.' },
      ),
    ];
  },
};

async function openCases({ db }: ConsoleContext, user: UserRow) {
  const found = (await listCases(db, 'open')).filter(({ row }) => !isOwnCase(user, row));
  const ids = found.map(({ row }) => row.actor);
  const names = new Map(
    ids.length === 0
      ? []
      : (await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))).map(
          ({ id, name }) => [id, name],
        ),
  );
  return table(
    'Open cases',
    ['opened', 'case', 'player', 'kinds', number('reporters'), 'appealed'],
    found.map(({ row, reports }) => ({
      cells: {
        opened: timed(row.openedAt),
        case: linked(row.id.slice(0, 8), `?view=integrity&id=${row.id}`),
        player: playerLink(row.actor, names.get(row.actor) ?? ''),
        kinds: row.findings.map(({ kind }) => kind).join(', '),
        reporters: reports,
        appealed: row.appealedAt ? 'yes' : null,
      },
    })),
    { empty: 'Nobody is put forward.' },
  );
}
