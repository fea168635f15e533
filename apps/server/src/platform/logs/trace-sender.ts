import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

/*
 * OTLP over HTTP as JSON (opentelemetry.io/docs/specs/otlp). Loaded only where somebody collects traces. The SDK would
 * bring a dozen packages for this one request.
 */

const SEND_AFTER_MS = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_SPANS_PER_REQUEST = 500;
/** How many spans wait while the collector is away; then the oldest are dropped. */
const MAX_WAITING = 5_000;
const SPAN_KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

export type Span = {
  readonly traceId: string;
  /** Of the spans of a trace this one is the parent of all others. */
  readonly isRoot: boolean;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly facts: Readonly<Record<string, string | number | boolean | bigint | null | undefined>>;
  readonly isFailure: boolean;
};

type Deps = { readonly logger: Logger; readonly processId: string };

export function createTraceSender(
  { url, headers, serviceName, roles }: NonNullable<Config['traces']>,
  { logger, processId }: Deps,
) {
  let waiting: object[] = [];
  let dropped = 0;
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  const resource = {
    attributes: attributesOf({
      'service.name': serviceName,
      'service.instance.id': processId,
      'engulf.roles': roles.join(','),
    }),
  };

  const send = async (): Promise<void> => {
    const spans = waiting.splice(0, MAX_SPANS_PER_REQUEST);
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'engulf' }, spans }] }],
    });
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      if (isAway) logger.info({ dropped }, 'traces are sent again');
      isAway = false;
      dropped = 0;
    } catch (error) {
      waiting = [...spans, ...waiting];
      trim();
      if (!isAway) logger.warn({ code: 'TRACES_NOT_SENT', err: error }, 'traces could not be sent');
      isAway = true;
    }
  };
  const trim = (): void => {
    const excess = waiting.length - MAX_WAITING;
    if (excess <= 0) return;
    waiting.splice(0, excess);
    dropped += excess;
  };
  const schedule = (): void => {
    if (timer || sending || waiting.length === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      sending = send().finally(() => {
        sending = undefined;
        schedule();
      });
    }, SEND_AFTER_MS);
    timer.unref();
  };

  return {
    add: (span: Span): void => {
      waiting.push(toOtlp(span));
      trim();
      schedule();
    },
    /** Tries once: an unavailable collector must not block the exit of a process. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await sending;
      clearTimeout(timer);
      if (waiting.length > 0) await send();
    },
  };
}

function toOtlp({ traceId, isRoot, name, startMs, endMs, facts, isFailure }: Span): object {
  // Every process knows the id of the first span, so that it can be named as the parent before it has arrived.
  const rootId = traceId.slice(0, 16);
  return {
    traceId,
    spanId: isRoot ? rootId : randomBytes(8).toString('hex'),
    ...(!isRoot && { parentSpanId: rootId }),
    name,
    kind: SPAN_KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(facts),
    ...(isFailure && { status: { code: STATUS_ERROR } }),
  };
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function attributesOf(facts: Span['facts']): object[] {
  return Object.entries(facts).flatMap(([key, value]): object[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: { stringValue: String(value) } }];
  });
}
