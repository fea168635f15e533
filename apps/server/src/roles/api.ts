import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Chat } from '../chat/chat.ts';
import { registerDocs } from '../http/docs/register-docs.ts';
import { registerHowToPlay } from '../http/pages/how-to-play-page.ts';
import { serveJoinPage } from '../http/pages/join-page.ts';
import { registerPageFonts } from '../http/pages/page-fonts.ts';
import { serveReplayPage } from '../http/pages/replay-page.ts';
import { registerAuth } from '../http/routes/auth.ts';
import { registerAvatars } from '../http/routes/avatars.ts';
import { registerChat } from '../http/routes/chat.ts';
import { registerConsole } from '../http/routes/console.ts';
import { registerDashboard } from '../http/routes/dashboard.ts';
import { registerGates } from '../http/routes/gates.ts';
import { registerIntegrity } from '../http/routes/integrity.ts';
import { registerLimits } from '../http/routes/limits.ts';
import { registerMatches } from '../http/routes/matches.ts';
import { registerPublicConfig } from '../http/routes/public-config.ts';
import { registerServerBrowser } from '../http/routes/server-browser.ts';
import { registerShare } from '../http/routes/share.ts';
import { registerSocial } from '../http/routes/social.ts';
import { registerSolvency } from '../http/routes/solvency.ts';
import { servePage } from '../http/serve-page.ts';
import type { Site } from '../http/site.ts';
import { type MenuSocket, openMenuSocket } from '../menu/menu-socket.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import { openGeo } from '../platform/geo.ts';
import type { Prices } from '../prices/prices.ts';
import { isLocalXOffered } from '../social/setup.ts';
import type { Social } from '../social/task-providers.ts';

export type ApiOptions = {
  readonly app: FastifyInstance;
  readonly server: Server;
  readonly config: Config;
  readonly prices: Prices;
  readonly chat: Chat;
  readonly site: () => Site;
  readonly social: Social;
  /** The built page. */
  readonly webFolder: string | undefined;
};

/** The role that serves the page: its files, its HTTP calls and the menu socket. */
export async function startApi(
  context: Context,
  { app, server, config, prices, chat, site, social, webFolder }: ApiOptions,
): Promise<MenuSocket> {
  registerPublicConfig(app, context, config, prices);
  const guesses = createGuessLimits(context.rateLimits);
  const geo = await openGeo();
  registerAuth(app, context, site, guesses);
  registerServerBrowser(app, context, guesses, geo);
  registerAvatars(app, context);
  registerShare(app, context, site);
  registerPageFonts(app);
  registerHowToPlay(app);
  registerDashboard(app, context);
  registerSolvency(app, context, config);
  registerLimits(app, context);
  registerChat(app, context, chat);
  registerGates(app, context, geo);
  registerSocial(app, context, { social, site, raffleWinnersPerDay: config.raffleWinnersPerDay });
  if (isLocalXOffered(config)) await playX(context, app, site);
  registerMatches(app, context);
  registerIntegrity(app, context);
  registerConsole(app, context, config, site);
  await serveReplayPage(app, context, { webFolder, site });
  await serveJoinPage(app, context, { webFolder, site });
  registerDocs(app, site);
  await servePage(app, webFolder, config.console);
  const isOwnOrigin = (origin: string) => site().isOwnOrigin(origin);
  return openMenuSocket(context, server, { config, chat, isOwnOrigin });
}

/** Loaded only where it is offered: a server in production does not contain it. */
async function playX({ db }: Pick<Context, 'db'>, app: FastifyInstance, site: () => Site): Promise<void> {
  const { registerLocalX } = await import('../social/local-x/register-local-x.ts');
  const { seedLocalTasks } = await import('../social/seed-tasks.ts');
  await registerLocalX(app, (origin) => site().isOwnOrigin(origin));
  await seedLocalTasks(db);
}
