import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** A command that takes longer is abandoned: every caller has a fallback. */
const COMMAND_MS = 300;
const CONNECT_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/**
 * A connection whose other end is gone without a word looks open for ever, above all one that only listens. So both are
 * asked for a sign of life, and replaced if none comes.
 */
const PING_MS = 1_000;
const SILENT_MS = 5_000;
/** An outage is noticed within this time. */
export const NOTICED_WITHIN_MS = PING_MS + SILENT_MS + 500;
/** How long a server that did not answer is not asked again. */
const PAUSE_MS = 1_000;

/** Redis, which may be away at any time. Nothing waits for it to come back. */
export type RedisLink = {
  /** Before every key and channel: databases of one server share their channels. */
  readonly prefix: string;
  /** A connection of its own, since one that is subscribed takes no other commands. */
  readonly subscriber: Redis;
  /** Whether commands have been answered lately. */
  isUp(): boolean;
  /** Rejects at once while Redis is away. */
  run<Value>(work: (commands: Redis) => Promise<Value>): Promise<Value>;
  close(): void;
};

class RedisAway extends Error {}

/** Connects in the background, and again whenever the connection is lost. */
export function openRedis(url: string, { logger, nowMs }: { logger: Logger; nowMs(): number }): RedisLink {
  const options = {
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, MAX_RETRY_MS),
  };
  const commands = new Redis(url, options);
  const subscriber = new Redis(url, options);
  let wasUp = true;
  let isClosed = false;
  let pausedUntilMs = 0;
  const note = (isUp: boolean, error?: unknown) => {
    if (isUp === wasUp || isClosed) return;
    wasUp = isUp;
    if (isUp) logger.warn({ code: 'REDIS_BACK' }, 'Redis answers again');
    else logger.error({ code: 'REDIS_AWAY', err: error }, 'Redis is away; processes know less of each other');
  };
  for (const connection of [commands, subscriber]) {
    connection.on('error', (error) => note(false, error));
    connection.on('close', () => note(false));
  }
  commands.on('ready', () => {
    pausedUntilMs = 0;
  });
  // It is back when both answer, also where nobody asks it for anything.
  const pinging = setInterval(async () => {
    const connections = [commands, subscriber].filter(({ status }) => status === 'ready');
    const answers = await Promise.allSettled(connections.map((connection) => connection.ping()));
    if (answers.filter(({ status }) => status === 'fulfilled').length === 2) note(true);
  }, PING_MS).unref();
  const isUp = () => commands.status === 'ready' && nowMs() >= pausedUntilMs;
  return {
    prefix: `engulf:${commands.options.db ?? 0}:`,
    subscriber,
    isUp,
    run: async (work) => {
      if (!isUp()) throw new RedisAway('Redis is away');
      try {
        return await work(commands);
      } catch (error) {
        pausedUntilMs = nowMs() + PAUSE_MS;
        note(false, error);
        throw error;
      }
    },
    close: () => {
      isClosed = true;
      clearInterval(pinging);
      commands.disconnect();
      subscriber.disconnect();
    },
  };
}
