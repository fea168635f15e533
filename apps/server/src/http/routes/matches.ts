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
import {
  countEntries,
  findRecording,
  listMatches,
  readEntries,
  readMatch,
  readRecording,
} from '../../matches/read-matches.ts';
import { RECORDING_TYPE } from '../../matches/recording-parts.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import { sendFailure, serveCall } from '../serve-call.ts';

/** Entries may still be settled and paid. A page of them is a tenth of a megabyte. */
const ENTRIES_MEMORY = { ms: 2_000, maxKeys: 50 };

export function registerMatches(app: FastifyInstance, context: Context): void {
  serveCall(app, listMatchesCall, async ({ query }) =>
    ok(await listMatches(context, query.lobbyId as LobbyId | undefined, query.page)),
  );
  const entriesAt = rememberFor({ ...ENTRIES_MEMORY, nowMs: context.nowMs }, async (key: string) => {
    const [id, page] = key.split(' ') as [MatchId, string];
    return {
      entryCount: await countEntries(context, id),
      entries: await readEntries(context, id, Number(page)),
    };
  });
  serveCall(app, readMatchCall, async ({ params, query }) => {
    const match = await readMatch(context, params.id as MatchId);
    if (!match) return refuse('MATCH_NOT_FOUND');
    const isEnded = match.state === 'ended';
    const shown = isEnded ? await entriesAt(`${match.id} ${query.page}`) : { entryCount: 0, entries: [] };
    return ok({ status: 'success', data: { ...match, ...shown } });
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
