import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { JOIN_PATH } from '@engulf/protocol/http/join-lobby';
import type { FastifyInstance } from 'fastify';
import { isPaid, type LobbyRow, listLobbies, tokenOf } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import type { Site } from '../site.ts';
import { type AboutLink, describeLink } from './about-link.ts';

/** Links are opened by many at once. */
const MEMORY = { ms: 2_000, maxKeys: 1 } as const;

/** Serves the page to whoever follows an invitation into a lobby. Does nothing if the page is not built. */
export async function serveJoinPage(
  app: FastifyInstance,
  { db, nowMs }: Context,
  { webFolder, site }: { readonly webFolder: string | undefined; readonly site: () => Site },
): Promise<void> {
  const page = webFolder && (await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => undefined));
  if (page === undefined || page === '') return;
  const lobbies = rememberFor({ ...MEMORY, nowMs }, () => listLobbies(db));
  app.get(`${JOIN_PATH}:id`, async (request, reply) => {
    const { id } = request.params as { id: string };
    const lobby = (await lobbies(undefined)).find((one) => one.id === id);
    const url = new URL(request.url, site().publicUrl).href;
    return reply
      .code(lobby ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(describeLink(page, about(lobby, url)));
  });
}

function about(lobby: LobbyRow | undefined, url: string): AboutLink {
  if (!lobby) {
    const text = 'The lobby of this invitation is gone. There are others.';
    return { type: 'website', title: 'Engulf', text, url };
  }
  const price = isPaid(lobby)
    ? `An entry costs ${formatExactAmount(lobby.entryFee, tokenOf(lobby))} ${lobby.tokenSymbol}.`
    : 'Free to play.';
  return {
    type: 'website',
    title: `Engulf: you are invited to ${lobby.name}`,
    text: `${price} Eat, split, and leave through a portal before you are eaten.`,
    url,
  };
}
