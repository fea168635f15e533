import { ok } from '@engulf/domain/errors/result';
import {
  listActivity,
  listGamesHistory,
  readRecords as readRecordsCall,
  readStatistics as readStatisticsCall,
} from '@engulf/protocol/http/dashboard';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import { readActivity, readGamesHistory } from '../../stats/history.ts';
import { readRecords } from '../../stats/records.ts';
import { readStatistics } from '../../stats/statistics.ts';
import { serveCall, signedIn } from '../serve-call.ts';

/** Also for visitors who are not signed in. */
const ACTIVITY_MEMORY = { ms: 2_000, maxKeys: 100 } as const;

export function registerDashboard(app: FastifyInstance, context: Pick<Context, 'db' | 'nowMs'>): void {
  const activity = rememberFor({ ...ACTIVITY_MEMORY, nowMs: context.nowMs }, (page: number) =>
    readActivity(context, page),
  );
  serveCall(
    app,
    listGamesHistory,
    signedIn(context, async (user, { query }) => ok(await readGamesHistory(context, user.id, query.page))),
  );
  serveCall(app, listActivity, async ({ query }) => ok(await activity(query.page)));
  serveCall(
    app,
    readStatisticsCall,
    signedIn(context, async (user) =>
      ok({ status: 'success', data: await readStatistics(context, user.id) }),
    ),
  );
  serveCall(
    app,
    readRecordsCall,
    signedIn(context, async (user) => ok({ status: 'success', data: await readRecords(context, user.id) })),
  );
}
