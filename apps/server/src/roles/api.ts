import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createGuessLimits } from '../http/guess-limits.ts';
import { registerAuth } from '../http/routes/auth.ts';
import { registerDashboard } from '../http/routes/dashboard.ts';
import { registerMatches } from '../http/routes/matches.ts';
import { registerPublicConfig } from '../http/routes/public-config.ts';
import { registerServerBrowser } from '../http/routes/server-browser.ts';
import { servePage } from '../http/serve-page.ts';
import type { Site } from '../http/site.ts';
import { type MenuSocket, openMenuSocket } from '../menu/menu-socket.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';

export type ApiOptions = {
  readonly app: FastifyInstance;
  readonly server: Server;
  readonly config: Config;
  readonly site: () => Site;
  /** The built page. */
  readonly webFolder: string | undefined;
};

/** The role that serves the page: its files, its HTTP calls and the menu socket. */
export async function startApi(
  context: Context,
  { app, server, config, site, webFolder }: ApiOptions,
): Promise<MenuSocket> {
  registerPublicConfig(app, context, config);
  const guesses = createGuessLimits(context.nowMs);
  registerAuth(app, context, site, guesses);
  registerServerBrowser(app, context, guesses);
  registerDashboard(app, context);
  registerMatches(app, context);
  await servePage(app, webFolder);
  return openMenuSocket(context, server, { config, isOwnOrigin: (origin) => site().isOwnOrigin(origin) });
}
