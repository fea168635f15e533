import type { Server } from 'node:http';
import type { Chat } from '../chat/chat.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import type { GameMeter } from '../game/ports.ts';
import { createEntrance, type Entrance } from '../game/room/entrance.ts';
import { matchVersion, registerGame } from '../game/room/register-game.ts';
import { createSampledLog } from '../game/room/sampled-log.ts';
import { createGameChat } from '../game-host/chat-port.ts';
import { createGamePorts } from '../game-host/ports.ts';
import { attachGameTransport } from '../http/one-port.ts';
import type { Site } from '../http/site.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import type { Activity } from '../platform/activity.ts';
import { clientAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { startHeartbeat } from '../platform/game-processes.ts';
import type { Prices } from '../prices/prices.ts';

export type GameOptions = {
  readonly server: Server;
  readonly entrance: Entrance;
  readonly config: Config;
  readonly prices: Prices;
  readonly chat: Chat;
  readonly meter: GameMeter;
  /** Left out if others than this process's visitors change lobbies. */
  readonly activity: Activity | undefined;
  /** Other processes took this one for dead and refunded its players, so its rooms must end. */
  readonly onDeclaredDead: (() => void) | undefined;
};

/** Exists before the http server, which passes matchmaking on to it. The game opens it. */
export function createGameEntrance(
  { logger }: Context,
  config: Config,
  site: () => Site,
  meter: GameMeter,
): Entrance {
  return createEntrance({
    clock: systemClock,
    log: createSampledLog(logger.child({ part: 'entrance' }), systemClock),
    addressOf: (request) => clientAddress(request, config.trustProxy),
    isOwnOrigin: (origin) => site().isOwnOrigin(origin),
    limitScale: config.rateLimitScale,
    meter,
  });
}

/** The role that runs the rooms. Stopping ends every match, settles it and only then stops the heartbeat. */
export async function startGame(
  context: Context,
  { server, entrance, config, prices, chat, meter, activity, onDeclaredDead }: GameOptions,
): Promise<{ stop(): Promise<void> }> {
  const isAlone = config.database.kind === 'embedded';
  const self = { address: config.gamePublicUrl, version: matchVersion(config.rules), isAlone };
  const heartbeat = await startHeartbeat(context, self, onDeclaredDead);
  await recoverEntries(context);
  await recoverMatches(context);
  const { ports, lanes } = createGamePorts(context, { prices, isAlone, activity });
  const transport = await attachGameTransport(server, entrance);
  const logger = context.logger.child({ part: 'game' });
  const game = await registerGame({
    ports,
    chat: createGameChat(context, chat),
    clock: systemClock,
    rules: config.rules,
    logger,
    isTesting: !config.isProduction,
    meter,
  });
  entrance.game = game;
  return {
    stop: async () => {
      await game.leave();
      await game.close();
      await transport.close();
      await lanes.drain();
      await heartbeat.stop();
    },
  };
}
