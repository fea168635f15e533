import type { Logger } from 'pino';
import { z } from 'zod';
import { NOTICED_WITHIN_MS, type RedisLink } from './redis.ts';

/** A kind of event. The schema is for what other processes say, which may run another version. */
export type Topic<Event> = { readonly name: string; readonly schema: z.ZodType<Event> };

/**
 * Sends small events to all processes. What must not be lost is in the database; the bus only makes it known sooner.
 * Events have to survive JSON.
 */
export type Bus = {
  /** Listeners in this process are called before it returns, those in others soon after. Never throws. */
  publish<Event>(topic: Topic<Event>, event: Event): void;
  /** Returns a function that ends it. */
  follow<Event>(topic: Topic<Event>, listener: (event: Event) => void): () => void;
  /** Since when no event can have been missed; undefined while events may be missed. */
  wholeSinceMs(): number | undefined;
  /** Called after an outage of the bus, with the time at which it began. */
  onHealed(listener: (brokenSinceMs: number) => void): void;
};

/** For a single process. */
export function createLocalBus(logger: Logger): Bus {
  const { deliver, follow } = createListeners(logger);
  return {
    publish: ({ name }, event) => deliver(name, event),
    follow,
    wholeSinceMs: () => 0,
    onHealed: () => {},
  };
}

type Listener = (event: unknown) => void;

function createListeners(logger: Logger) {
  const byTopic = new Map<string, Set<Listener>>();
  return {
    deliver: (name: string, event: unknown): void => {
      for (const listener of byTopic.get(name) ?? []) {
        try {
          listener(event);
        } catch (error) {
          logger.error({ code: 'EVENT_FAILED', err: error, topic: name }, 'an event was not handled');
        }
      }
    },
    follow: <Event>({ name }: Topic<Event>, listener: (event: Event) => void): (() => void) => {
      const listeners = byTopic.get(name) ?? new Set();
      byTopic.set(name, listeners.add(listener as Listener));
      return () => listeners.delete(listener as Listener);
    },
  };
}

/** A process could not send for a while, so the others have missed its events. */
const GAPS: Topic<{ agoMs: number }> = {
  name: 'gaps',
  schema: z.object({ agoMs: z.number().nonnegative() }),
};
const RETRY_MS = 500;

/** The sender has already called its own listeners. */
const envelopeSchema = z.object({ from: z.string(), event: z.unknown() });

export function createRedisBus(
  redis: RedisLink,
  { processId, logger, nowMs }: { processId: string; logger: Logger; nowMs(): number },
): Bus {
  const { subscriber } = redis;
  const local = createListeners(logger);
  const topics = new Map<string, Topic<unknown>>();
  const healedListeners: ((brokenSinceMs: number) => void)[] = [];
  const channelOf = (name: string) => `${redis.prefix}bus:${name}`;
  let brokenSinceMs: number | undefined = nowMs();
  let wholeSinceMs = 0;
  /** Since when this process could not send events. */
  let unsentSinceMs: number | undefined;

  async function subscribe(): Promise<void> {
    const channels = [...topics.keys()];
    if (subscriber.status !== 'ready') return;
    if (channels.length > 0) await subscriber.subscribe(...channels);
    if (brokenSinceMs === undefined || channels.length < topics.size) return;
    const sinceMs = brokenSinceMs;
    brokenSinceMs = undefined;
    wholeSinceMs = nowMs();
    for (const listener of healedListeners) listener(sinceMs);
  }
  /** If it fails, the connection is dropped and the next one subscribes again. */
  const trySubscribing = () => void subscribe().catch(() => subscriber.disconnect(true));

  subscriber.on('ready', trySubscribing);
  subscriber.on('close', () => {
    brokenSinceMs ??= nowMs() - NOTICED_WITHIN_MS;
  });
  subscriber.on('message', (channel: string, text: string) => {
    const topic = topics.get(channel);
    const envelope = envelopeSchema.safeParse(readJson(text));
    if (!topic || envelope.data?.from === processId) return;
    const event = envelope.success ? topic.schema.safeParse(envelope.data.event) : envelope;
    if (event.success) local.deliver(topic.name, event.data);
    else logger.warn({ code: 'EVENT_REFUSED', topic: topic.name }, 'an event was not understood');
  });

  topics.set(channelOf(GAPS.name), GAPS as Topic<unknown>);
  local.follow(GAPS, ({ agoMs }) => {
    for (const listener of healedListeners) listener(nowMs() - agoMs - NOTICED_WITHIN_MS);
  });
  const send = (name: string, event: unknown): Promise<unknown> => {
    const text = JSON.stringify({ from: processId, event });
    return redis.run((commands) => commands.publish(channelOf(name), text));
  };
  const tellOfGap = (): void => {
    if (subscriber.status === 'end') return;
    send(GAPS.name, { agoMs: Math.max(0, nowMs() - unsentSinceMs!) }).then(
      () => {
        unsentSinceMs = undefined;
      },
      () => setTimeout(tellOfGap, RETRY_MS).unref(),
    );
  };

  return {
    publish: ({ name }, event) => {
      local.deliver(name, event);
      // An outage of Redis is reported once, not for every event.
      send(name, event).catch(() => {
        if (unsentSinceMs !== undefined) return;
        unsentSinceMs = nowMs();
        setTimeout(tellOfGap, RETRY_MS).unref();
      });
    },
    follow: (topic, listener) => {
      const channel = channelOf(topic.name);
      if (!topics.has(channel)) {
        topics.set(channel, topic);
        trySubscribing();
      }
      return local.follow(topic, listener);
    },
    wholeSinceMs: () => (brokenSinceMs === undefined && redis.isUp() ? wholeSinceMs : undefined),
    onHealed: (listener) => healedListeners.push(listener),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
