import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import {
  markNoticesRead,
  readCaseNumbers,
  readNotices as readNoticesCall,
  reportPlayer as reportPlayerCall,
} from '@engulf/protocol/http/integrity';
import type { FastifyInstance } from 'fastify';
import { markRead, readNotices } from '../../integrity/notices.ts';
import { createPublicNumbers } from '../../integrity/public-numbers.ts';
import { reportByName } from '../../integrity/reports.ts';
import type { Context } from '../../platform/context.ts';
import { integrityPage } from '../pages/integrity-page.ts';
import { sendPage } from '../pages/send-page.ts';
import { serveCall, signedIn } from '../serve-call.ts';

export function registerIntegrity(app: FastifyInstance, context: Pick<Context, 'db' | 'nowMs'>): void {
  const readNumbers = createPublicNumbers(context);
  serveCall(
    app,
    reportPlayerCall,
    signedIn(context, async (user, { body: { matchId, player, reason } }) => {
      const reported = await reportByName(context, user.id, {
        matchId: matchId as MatchId | null,
        player,
        reason,
      });
      if (reported === 'tooMany') return refuse('REPORTS_LIMIT');
      if (reported === 'notPlayed' || reported === 'self') return refuse('REPORT_NOT_POSSIBLE');
      return ok({ status: 'success', isRepeated: reported === 'repeated' });
    }),
  );
  serveCall(
    app,
    readNoticesCall,
    signedIn(context, async ({ id }) => {
      const { warnings, reports } = await readNotices(context, id);
      return ok({ status: 'success', warnings: [...warnings], reports });
    }),
  );
  serveCall(
    app,
    markNoticesRead,
    signedIn(context, async ({ id }) => {
      await markRead(context, id);
      return ok({ status: 'success' });
    }),
  );
  serveCall(app, readCaseNumbers, async () => ok({ status: 'success', months: [...(await readNumbers())] }));
  app.get('/integrity', async (_request, reply) =>
    sendPage(reply, integrityPage(await readNumbers()), { maxAgeSeconds: 60 }),
  );
}
