import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InviteCardFacts } from '@engulf/card/invite-card';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { JOIN_PATH } from '@engulf/protocol/http/join-lobby';
import type { FastifyInstance } from 'fastify';
import { isPaid, type LobbyRow, listLobbies, tokenOf } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import { renderInviteCard } from '../../share/render-card.ts';
import type { Site } from '../site.ts';
import { type AboutLink, describeLink } from './about-link.ts';
import { serveCard } from './serve-card.ts';

/** Links are opened by many at once. */
const MEMORY = { ms: 2_000, maxKeys: 1 } as const;
const CARDS_KEPT = 20;

/** Serves the page to whoever follows an invitation into a lobby. Does nothing if the page is not built. */
export async function serveJoinPage(
  app: FastifyInstance,
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { webFolder, site }: { readonly webFolder: string | undefined; readonly site: () => Site },
): Promise<void> {
  const page = webFolder && (await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => undefined));
  if (page === undefined || page === '') return;
  const lobbies = rememberFor({ ...MEMORY, nowMs }, () => listLobbies(db));
  const findLobby = async (id: string) => (await lobbies(undefined)).find((one) => one.id === id);
  app.get(`${JOIN_PATH}:id`, async (request, reply) => {
    const { id } = request.params as { id: string };
    const lobby = await findLobby(id);
    const url = new URL(request.url, site().publicUrl).href;
    return reply
      .code(lobby ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(describeLink(page, about(lobby, url, site().publicUrl)));
  });
  serveCard<InviteCardFacts>(app, {
    url: `${JOIN_PATH}:id/card`,
    nowMs,
    maxKept: CARDS_KEPT,
    find: async (id) => {
      const lobby = await findLobby(id);
      return lobby && cardOf(lobby);
    },
    render: renderInviteCard,
  });
}

function about(lobby: LobbyRow | undefined, url: string, publicUrl: URL): AboutLink {
  if (!lobby) {
    const text = 'The lobby of this invitation is gone. There are others.';
    return { type: 'website', title: 'Engulf', text, url };
  }
  return {
    type: 'website',
    title: `Engulf: you are invited to ${lobby.name}`,
    text: `${cardOf(lobby).price}${lobby.region ? `, played in ${lobby.region}` : ''}. Eat, split, and leave through a portal before you are eaten.`,
    url,
    pictureUrl: new URL(`${JOIN_PATH}${lobby.id}/card`, publicUrl).href,
  };
}

function cardOf(lobby: LobbyRow): InviteCardFacts {
  const fee = () => `${formatExactAmount(lobby.entryFee, tokenOf(lobby))} ${lobby.tokenSymbol}`;
  return { lobbyName: lobby.name, price: isPaid(lobby) ? `An entry costs ${fee()}` : 'Free to play' };
}
