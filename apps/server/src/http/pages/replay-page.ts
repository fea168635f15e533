import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MatchCardFacts } from '@engulf/card/match-card';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { readMatch as readMatchCall } from '@engulf/protocol/http/matches';
import type { FastifyInstance } from 'fastify';
import {
  countEntries,
  entriesToShow,
  findBestCashOut,
  type MatchFacts,
  readMatch,
} from '../../matches/read-matches.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import { renderMatchCard } from '../../share/render-card.ts';
import type { Site } from '../site.ts';
import { type AboutLink, describeLink } from './about-link.ts';
import { serveCard } from './serve-card.ts';

const CARDS_KEPT = 50;

/** Popular matches are not read again for every visitor. */
const MATCH_MEMORY = { ms: 2_000, maxKeys: 100 };

type ShownMatch = {
  readonly id: string;
  readonly lobbyName: string;
  /** Undefined while the match runs. */
  readonly card: MatchCardFacts | undefined;
};

/** Serves the viewer of a match, with what other sites show of a link to it. Does nothing if the page is not built. */
export async function serveReplayPage(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'nowMs'>,
  { webFolder, site }: { readonly webFolder: string | undefined; readonly site: () => Site },
): Promise<void> {
  const page = webFolder && (await readFile(join(webFolder, 'replay.html'), 'utf8').catch(() => undefined));
  if (page === undefined || page === '') return;
  const { max, windowMs } = readMatchCall.limit;
  const limited = { rateLimit: { max: max * app.rateLimitScale, timeWindow: windowMs } };
  const remembered = rememberFor({ ...MATCH_MEMORY, nowMs: context.nowMs }, (id: MatchId) =>
    readShown(context, id),
  );
  const findMatch = async (id: string) =>
    readMatchCall.params.safeParse({ id }).success ? remembered(id as MatchId) : undefined;
  app.route({
    method: 'GET',
    url: '/replay/:id',
    config: limited,
    handler: async (request, reply) => {
      const match = await findMatch((request.params as { id: string }).id);
      const url = new URL(request.url, site().publicUrl).href;
      return reply
        .code(match ? 200 : 404)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(describeLink(page, about(match, url, site().publicUrl)));
    },
  });
  serveCard<MatchCardFacts>(app, {
    url: '/replay/:id/card.png',
    nowMs: context.nowMs,
    maxKept: CARDS_KEPT,
    find: async (id) => (await findMatch(id))?.card,
    render: renderMatchCard,
  });
}

async function readShown(
  context: Pick<Context, 'db' | 'nowMs'>,
  id: MatchId,
): Promise<ShownMatch | undefined> {
  const match = await readMatch(context, id);
  if (!match) return undefined;
  const card = match.state === 'ended' ? await cardOf(context, match) : undefined;
  return { id, lobbyName: match.lobbyName, card };
}

function about(match: ShownMatch | undefined, url: string, publicUrl: URL): AboutLink {
  if (!match) {
    const text = 'The link may be incomplete, or the match may be gone.';
    return { type: 'video.other', title: 'Engulf: there is no such match', text, url };
  }
  return {
    type: 'video.other',
    title: `Engulf: a match in ${match.lobbyName}`,
    text: describe(match),
    url,
    pictureUrl: match.card && new URL(`/replay/${match.id}/card.png`, publicUrl).href,
  };
}

function describe({ card }: ShownMatch): string {
  if (!card) return 'This match is still running. It can be watched when it has ended.';
  const { extent, bestCashOut } = card;
  return [
    `Watch it again and check it yourself: ${extent}`,
    ...(bestCashOut === null ? [] : [`best cash-out ${bestCashOut}`]),
  ].join(', ');
}

async function cardOf(context: Pick<Context, 'db' | 'nowMs'>, match: MatchFacts): Promise<MatchCardFacts> {
  const { tokenSymbol: symbol, tokenDecimals: decimals, startedAt, endedAt } = match;
  const entryCount = await countEntries(context, entriesToShow(context, match));
  const best = await findBestCashOut(context, match.id as MatchId);
  const players = entryCount === 1 ? '1 entry' : `${entryCount} entries`;
  const minutes = Math.round((Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')) / 60_000);
  const extent = Number.isFinite(minutes) ? `${players}, ${Math.max(1, minutes)} min` : players;
  return {
    lobbyName: match.lobbyName,
    extent,
    bestCashOut: best ? `${formatExactAmount(best.amount, { symbol, decimals })} ${symbol}` : null,
    bestPlayer: best?.name ?? null,
  };
}
