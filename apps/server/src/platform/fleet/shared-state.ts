import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { createLocalBus, createRedisBus } from './bus.ts';
import { createMemoryPresence, createSharedPresence } from './presence.ts';
import { createMemoryRateLimits, createRedisRateLimits } from './rate-limits.ts';
import { openRedis } from './redis.ts';

/** What processes know of each other besides the database. Losing it loses no money. */
type SharedState = Pick<Context, 'presence' | 'bus' | 'rateLimits'>;

type Deps = { readonly logger: Logger; nowMs(): number };

/** For a single process. */
export function createLoneState({ logger, nowMs }: Deps): SharedState {
  return {
    presence: createMemoryPresence(nowMs),
    bus: createLocalBus(logger),
    rateLimits: createMemoryRateLimits(nowMs),
  };
}

export function openSharedState(
  redisUrl: string,
  deps: Deps & { readonly processId: string; listRunning(): Promise<readonly LobbyId[]> },
): SharedState & { close(): void } {
  const redis = openRedis(redisUrl, deps);
  const bus = createRedisBus(redis, deps);
  const presence = createSharedPresence({ ...deps, bus });
  return {
    presence,
    bus,
    rateLimits: createRedisRateLimits(redis, deps.nowMs),
    close: () => {
      presence.close();
      redis.close();
    },
  };
}
