import type { AddressInfo } from 'node:net';
import { serveAdminSocket } from '../admin/serve-socket.ts';
import { openChat } from '../chat/chat.ts';
import { createApp } from '../http/create-app.ts';
import { beforeApplication, guardUpgrades, isMenu } from '../http/one-port.ts';
import { registerHealth } from '../http/routes/health.ts';
import { registerMetrics } from '../http/routes/metrics.ts';
import { servePage } from '../http/serve-page.ts';
import { describeSite, type Site } from '../http/site.ts';
import { measureBooks } from '../metrics/measure-books.ts';
import { measureArchive, measureSigner } from '../metrics/measure-safety.ts';
import { measureSockets } from '../metrics/measure-sockets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createRemoteSigner } from '../money/signer/remote-signer.ts';
import { watchConnections } from '../platform/activity.ts';
import { systemClock } from '../platform/clock.ts';
import { collectGarbage } from '../platform/collect-garbage.ts';
import { type Config, isEmbedded } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { startDeathWatch } from '../platform/fleet/game-processes.ts';
import { openPrices } from '../prices/prices.ts';
import { createSocial } from '../social/setup.ts';
import { startApi } from './api.ts';
import { createGameEntrance, startGame } from './game.ts';
import type { RunningGame } from './game-place.ts';
import { startWorker, type Worker } from './worker.ts';

type RolesOptions = {
  /** The built page. */
  readonly webFolder?: string | undefined;
  readonly onDeclaredDead?: (() => void) | undefined;
  /** What closes each thing that was opened is added here. */
  readonly closers: (() => unknown)[];
  readonly metrics: Metrics;
};

/** One HTTP server carries all roles of the process. Resolves to its address once it listens. */
export async function startRoles(
  context: Context,
  config: Config,
  { webFolder, onDeclaredDead, closers, metrics }: RolesOptions,
): Promise<string> {
  const { roles } = config;
  const [hasApi, hasGame] = [roles.has('api'), roles.has('game')];
  let worker: Worker | undefined;
  closers.push(() => worker?.stop());
  const social = createSocial(config, () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // The system may choose the port, so the site is known only once the server listens.
  let known: Site | undefined;
  const site = () => {
    known ??= describeSite(config, (server.address() as AddressInfo).port);
    return known;
  };
  const { chain, logger, nowMs } = context;
  const prices = openPrices(config.prices, { testMint: chain.test?.token.mint, logger, nowMs });
  closers.push(() => prices.close());
  // One chat for the menu and the rooms: limits count over both, and an admin's kick reaches both.
  const chat = openChat(context, { limitScale: config.rateLimitScale });
  const entrance = hasGame ? createGameEntrance(context, config, site, metrics.game) : undefined;
  const { app, server } = await createApp(context, {
    config,
    site,
    onAnswered: metrics.answered,
    before: beforeApplication,
  });
  closers.push(() => app.close());
  let game: RunningGame | undefined;
  const { signer: address } = config.payouts;
  const signer = roles.has('worker') && address ? createRemoteSigner(address.url, address.secret) : undefined;
  const canTakeLobbies = async () => (await game?.canTakeLobbies()) ?? false;
  registerHealth(app, context, { signer, canTakeLobbies: hasGame ? canTakeLobbies : undefined });
  registerMetrics(app, metrics, config.metricsToken);
  const { countRoomBytes } = measureSockets(metrics, server, ({ url = '' }) =>
    isMenu(url) ? 'menu' : 'room',
  );
  guardUpgrades(server, { hasMenu: hasApi, hasRooms: hasGame });
  if (hasApi) {
    const menu = await startApi(context, { app, server, config, prices, chat, site, social, webFolder });
    closers.push(() => menu.close());
  } else {
    await servePage(app, undefined);
  }
  // With a database of its own, no other process can make work for this one.
  const activity = config.database.kind === 'embedded' ? watchConnections(server) : undefined;
  activity?.onQuiet(collectGarbage);
  if (entrance) {
    game = await startGame(context, {
      server,
      entrance,
      config,
      prices,
      chat,
      meter: metrics.game,
      slowTickMs: metrics.game.slowTickMs,
      onRoomBytes: countRoomBytes,
      activity,
      onDeclaredDead,
    });
    closers.push(() => game!.stop());
  }
  if (config.database.kind !== 'embedded' && (hasGame || roles.has('worker'))) {
    const deathWatch = startDeathWatch(context, systemClock);
    closers.push(() => deathWatch.stop());
  }
  // Later than the rooms, which first give the seats that waited for them their time again.
  if (roles.has('worker')) {
    worker = startWorker(context, config, social, { activity, metrics });
    measureBooks(metrics, context, () => worker?.signerFunds);
    if (signer) measureSigner(metrics, signer);
    if (config.database.kind === 'postgres') measureArchive(metrics, context);
  }
  await app.listen({ host: config.host, port: config.port });
  // Matches wait for a block of the chain, the page does not wait for them.
  await game?.untilOpen();
  if (isEmbedded(config)) {
    const socket = await serveAdminSocket(context, config);
    closers.push(() => socket.close());
  }
  return site().publicUrl.origin;
}
