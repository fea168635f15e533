import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import {
  FACTS_LIMIT,
  FACTS_PATH,
  listMatches as listMatchesCall,
  RECORDING_LIMIT,
  RECORDING_PATH,
  readMatch as readMatchCall,
  recordingParamsSchema,
} from '@engulf/protocol/http/matches';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  countEntries,
  entriesToShow,
  findRecording,
  listMatches,
  type MatchFacts,
  readAllEntries,
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

export function registerMatches(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'storage' | 'archive' | 'nowMs'>,
): void {
  serveCall(app, listMatchesCall, async ({ query }) =>
    ok(await listMatches(context, query.lobbyId as LobbyId | undefined, query.page)),
  );
  const entriesAt = rememberFor({ ...ENTRIES_MEMORY, nowMs: context.nowMs }, async (key: string) => {
    const [id, state, , page] = key.split(' ') as [MatchId, MatchFacts['state'], string, string];
    const asked = entriesToShow(context, { id, state });
    return {
      entryCount: await countEntries(context, asked),
      entries: await readEntries(context, asked, Number(page)),
    };
  });
  serveCall(app, readMatchCall, async ({ params, query }) => {
    const match = await readMatch(context, params.id as MatchId);
    if (!match) return refuse('MATCH_NOT_FOUND');
    const shown = isOpen(match)
      ? // What was remembered before more became public does not fit to it.
        await entriesAt(`${match.id} ${match.state} ${match.published?.tick ?? 0} ${query.page}`)
      : { entryCount: 0, entries: [] };
    return ok({ status: 'success', data: { ...match, ...shown } });
  });
  app.route({
    method: 'GET',
    url: FACTS_PATH,
    schema: { params: recordingParamsSchema },
    config: { rateLimit: { max: FACTS_LIMIT.max * app.rateLimitScale, timeWindow: FACTS_LIMIT.windowMs } },
    handler: async (request, reply) => {
      const match = await readMatch(context, (request.params as { id: MatchId }).id);
      if (!match) return sendFailure(reply, failure('MATCH_NOT_FOUND'));
      if (!isOpen(match)) return sendFailure(reply, failure('MATCH_NOT_ENDED'));
      // An error of the first stream that nobody listens to would end the process; here it reaches the answer.
      const zipped = pipeline(
        bodyOf(request, () => writeFacts(context, match)),
        createGzip(),
        () => undefined,
      );
      return reply.header('content-encoding', 'gzip').type('application/json').send(zipped);
    },
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
      const { match, readable } = found;
      if (!readable) return sendFailure(reply, failure('MATCH_NOT_ENDED'));
      return reply
        .header('cache-control', match.endedAt ? NEVER_CHANGES : 'no-cache')
        .header('content-length', readable.bytes)
        .header('etag', `"${readable.hash}"`)
        .header('content-disposition', `attachment; filename="${id}.egr"`)
        .type(RECORDING_TYPE)
        .send(bodyOf(request, () => readRecording(context, readable)));
    },
  });
}

/** Nothing for HEAD: for that, the server would read all of it as fast as it can and send nothing. */
function bodyOf({ method }: FastifyRequest, read: () => AsyncIterable<unknown>): Readable {
  return Readable.from(method === 'HEAD' ? [] : read());
}

const NEVER_CHANGES = 'public, max-age=31536000, immutable';

/** Whether there is something about a match that anybody may know. */
function isOpen({ state, published }: MatchFacts): boolean {
  return state === 'ended' || published !== null;
}

/** As JSON, a page at a time, so that a long match does not fill the memory. */
async function* writeFacts(
  context: Pick<Context, 'db' | 'nowMs'>,
  match: MatchFacts,
): AsyncGenerator<string> {
  const asked = entriesToShow(context, match);
  const facts = JSON.stringify({ ...match, entryCount: await countEntries(context, asked) });
  yield `{"status":"success","data":${facts.slice(0, -1)},"entries":[`;
  let isFirst = true;
  for await (const page of readAllEntries(context, asked)) {
    yield (isFirst ? '' : ',') + page.map((entry) => JSON.stringify(entry)).join(',');
    isFirst = false;
  }
  yield ']}}';
}
