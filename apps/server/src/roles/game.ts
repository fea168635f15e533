import type { Server } from 'node:http';
import type { Chat } from '../chat/chat.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import { matchVersion } from '../game/match-version.ts';
import type { GameMeter, GamePorts } from '../game/ports.ts';
import { createEntrance, type Entrance } from '../game/room/entrance.ts';
import { createSampledLog } from '../game/room/sampled-log.ts';
import { createGamePorts } from '../game-host/ports.ts';
import type { Site } from '../http/site.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import type { Activity } from '../platform/activity.ts';
import { clientAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { forgetAllProcesses, startHeartbeat } from '../platform/game-processes.ts';
import type { Prices } from '../prices/prices.ts';

export type GameOptions = {
  readonly server: Server;
  readonly entrance: Entrance;
  readonly config: Config;
  readonly prices: Prices;
  readonly chat: Chat;
  readonly meter: GameMeter;
  /** Told of bytes on sockets that other processes hold. */
  readonly onRoomBytes: (up: number, down: number) => void;
  /** Left out if others than this process's visitors change lobbies. */
  readonly activity: Activity | undefined;
  /** Other processes took this one for dead and refunded its players, so its rooms must end. */
  readonly onDeclaredDead: (() => void) | undefined;
};

export type RunningGame = {
  /** Whether new lobbies could come here. */
  canTakeLobbies(): Promise<boolean>;
  /** Ends every match, or hands it over, settles it and only then stops the heartbeat. */
  stop(): Promise<void>;
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

/** The role that runs the rooms, in this process or in others that belong to it. Only one of the two is loaded. */
export async function startGame(context: Context, options: GameOptions): Promise<RunningGame> {
  if (options.config.database.kind === 'embedded') await forgetAllProcesses(context);
  if (options.config.roomProcesses === 0) {
    const { startRoomsHere } = await import('./rooms-here.ts');
    return startRoomsHere(context, options);
  }
  const { startRoomsApart } = await import('./rooms-apart.ts');
  return startRoomsApart(context, options);
}

/** The right to run lobbies, in the name of the context's process. */
export type Place = {
  readonly ports: GamePorts;
  /** Resolves when everything that the rooms reported is durable and the place is free. */
  leave(): Promise<void>;
};

export async function takePlace(
  context: Context,
  { config, prices, activity }: GameOptions,
  onDeclaredDead: (() => void) | undefined,
): Promise<Place> {
  const isAlone = config.database.kind === 'embedded';
  const self = { address: config.gamePublicUrl, version: matchVersion(config.rules), isAlone };
  const heartbeat = await startHeartbeat(context, self, onDeclaredDead);
  await recoverEntries(context);
  await recoverMatches(context);
  const { ports, lanes } = createGamePorts(context, { prices, isAlone, activity });
  return {
    ports,
    leave: async () => {
      await lanes.drain();
      await heartbeat.stop();
    },
  };
}
