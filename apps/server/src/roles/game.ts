import { createEntrance, type Entrance } from '../game/entrance/entrance.ts';
import { createSampledLog } from '../game/entrance/sampled-log.ts';
import type { GameMeter } from '../game/ports.ts';
import type { Site } from '../http/site.ts';
import { clientAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { forgetAllProcesses } from '../platform/fleet/game-processes.ts';
import type { GameOptions, RunningGame } from './game-place.ts';

/** Counts sockets by the addresses that the configuration trusts. */
export function createGameEntrance(
  { logger }: Pick<Context, 'logger'>,
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
