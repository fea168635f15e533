import { Readable } from 'node:stream';
import { failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import {
  listMatches as listMatchesCall,
  RECORDING_LIMIT,
  RECORDING_PATH,
  readMatch as readMatchCall,
  recordingParamsSchema,
} from '@engulf/protocol/http/matches';
import type { FastifyInstance } from 'fastify';
import { findRecording, listMatches, readMatch, readRecording } from '../../matches/read-matches.ts';
import { RECORDING_TYPE } from '../../matches/recording-parts.ts';
import type { Context } from '../../platform/context.ts';
import { sendFailure, serveCall } from '../serve-call.ts';

export function registerMatches(app: FastifyInstance, context: Context): void {
  serveCall(app, listMatchesCall, async ({ query }) =>
    ok(await listMatches(context, query.lobbyId as LobbyId | undefined, query.page)),
  );
  serveCall(app, readMatchCall, async ({ params }) => {
    const data = await readMatch(context, params.id as MatchId);
    return data ? ok({ status: 'success', data }) : refuse('MATCH_NOT_FOUND');
  });
  const { max, windowMs } = RECORDING_LIMIT;
  app.route({
    method: 'GET',
    url: RECORDING_PATH,
    schema: { params: recordingParamsSchema },
    config: { rateLimit: { max: max * app.rateLimitScale, timeWindow: windowMs } },
    handler: async (request, reply) => {
      const { id } = request.params as { id: MatchId };
      const found = await findRecording(context, id);
      if (!found) return sendFailure(reply, failure('MATCH_NOT_FOUND'));
      if (found.state === 'running') return sendFailure(reply, failure('MATCH_NOT_ENDED'));
      // It never changes again.
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-length', found.match.recordingBytes)
        .header('etag', `"${found.match.finalHash}"`)
        .header('content-disposition', `attachment; filename="${id}.egr"`)
        .type(RECORDING_TYPE)
        .send(Readable.from(readRecording(context, found.match)));
    },
  });
}
