import { count, desc, eq, lt, sql } from 'drizzle-orm';
import { entries, lobbies, matches } from '../../platform/database/games.ts';
import { linked, number, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';

const ROWS = 50;

export const matchesView: View = {
  title: 'Matches',
  least: 'operator',
  read: async ({ db, nowMs }, _user, { before }) => {
    // The database knows fewer years than JavaScript.
    const from = before === undefined ? Number.NaN : Math.max(0, Math.min(Date.parse(before), nowMs()));
    const played = db
      .select({ matchId: entries.matchId, count: count().as('count') })
      .from(entries)
      .where(sql`${entries.matchId} is not null`)
      .groupBy(entries.matchId)
      .as('played');
    const rows = await db
      .select({ match: matches, lobby: lobbies.name, played: played.count })
      .from(matches)
      .innerJoin(lobbies, eq(lobbies.id, matches.lobbyId))
      .leftJoin(played, eq(played.matchId, matches.id))
      .where(Number.isNaN(from) ? undefined : lt(matches.committedAt, new Date(from)))
      .orderBy(desc(matches.committedAt))
      .limit(ROWS);
    const last = rows.length === ROWS ? rows.at(-1) : undefined;
    return [
      table(
        'Matches',
        ['committed', 'lobby', 'match', number('entries'), 'state', number('recording'), 'look'],
        rows.map(({ match, lobby, played: people }) => ({
          cells: {
            committed: timed(match.committedAt),
            lobby,
            match: match.id,
            entries: people ?? 0,
            state: !match.endedAt
              ? toned(match.startedAt ? 'running' : 'waits for its block', 'good')
              : match.isCut
                ? toned('cut: its process died', 'bad')
                : toned('ended', 'quiet'),
            recording: match.recordingBytes === null ? null : `${Math.ceil(match.recordingBytes / 1024)} KB`,
            look: match.endedAt
              ? linked('watch and verify', `/replay/${match.id}`)
              : linked('facts', `/api/matches/${match.id}`),
          },
        })),
        {
          empty: 'There was no match yet.',
          older: last && `?view=matches&before=${last.match.committedAt.toISOString()}`,
        },
      ),
    ];
  },
};
