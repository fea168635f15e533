import { desc, eq, inArray, lt } from 'drizzle-orm';
import { readMutes } from '../../chat/kicks.ts';
import { chatMessages } from '../../platform/database/chat.ts';
import { lobbies } from '../../platform/database/games.ts';
import { users } from '../../platform/database/people.ts';
import { offer, playerLink, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';

const ROWS = 100;

export const chatView: View = {
  title: 'Chat',
  least: 'operator',
  read: async ({ db, nowMs }, user, { before }) => {
    const rows = await db
      .select({ row: chatMessages, name: users.name })
      .from(chatMessages)
      .leftJoin(users, eq(users.id, chatMessages.userId))
      .where(before && /^\d{1,15}$/.test(before) ? lt(chatMessages.id, Number(before)) : undefined)
      .orderBy(desc(chatMessages.id))
      .limit(ROWS);
    const names = new Map<string, string>(
      (await db.select({ id: lobbies.id, name: lobbies.name }).from(lobbies)).map(({ id, name }) => [
        id,
        name,
      ]),
    );
    const mutes = await readMutes(db, nowMs());
    const muted =
      mutes.size === 0
        ? []
        : await db
            .select({ id: users.id, name: users.name })
            .from(users)
            .where(inArray(users.id, [...mutes.keys()]));
    const last = rows.length === ROWS ? rows.at(-1) : undefined;
    return [
      table(
        'Messages',
        ['when', 'channel', 'player', 'message', 'state'],
        rows.map(({ row, name }) => ({
          cells: {
            when: timed(row.at),
            channel: names.get(row.channel) ?? row.channel,
            player: row.userId && name ? playerLink(row.userId, name) : 'the server',
            message: row.message,
            state: row.removedAt ? toned('removed', 'warn') : null,
          },
          actions: offer(
            user,
            row.removedAt === null && {
              label: 'Remove',
              command: 'chat remove',
              positionals: [String(row.id)],
            },
          ),
        })),
        { empty: 'Nobody has written anything.', older: last && `?view=chat&before=${last.row.id}` },
      ),
      table(
        'Muted now',
        ['player', 'until'],
        muted.map(({ id, name }) => ({
          cells: { player: playerLink(id, name), until: timed(new Date(mutes.get(id)!)) },
          actions: offer(user, { label: 'Unmute', command: 'chat unmute', positionals: [id] }),
        })),
        { empty: 'Nobody is muted.' },
      ),
    ];
  },
};
