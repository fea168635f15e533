import { setLogger } from '@colyseus/core/Logger';
import type { LogFnFields, Logger } from 'pino';
import { ROOM_LIMITS } from '../limits.ts';
import type { Clock } from '../ports.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A log for lines that strangers can provoke: one per kind and interval, with the number of those left out. */
export type SampledLog = (
  level: Level,
  kind: string,
  fields: LogFnFields & Record<string, unknown>,
  message: string,
) => void;

/** Kinds can hold text of strangers, so their number is bounded; all others share one kind. */
const MAX_KINDS = 64;
const MAX_KIND_LENGTH = 48;
const MAX_TEXT_LENGTH = 2_000;

export function createSampledLog(logger: Logger, clock: Clock): SampledLog {
  const kinds = new Map<string, { nextMs: number; suppressed: number }>();
  return (level, kind, fields, message) => {
    const name = kinds.has(kind) || kinds.size < MAX_KINDS ? kind : 'other';
    const nowMs = clock.monotonicMs();
    const sample = kinds.get(name) ?? { nextMs: nowMs, suppressed: 0 };
    kinds.set(name, sample);
    if (nowMs < sample.nextMs) {
      sample.suppressed++;
      return;
    }
    logger[level]({ ...fields, ...(sample.suppressed > 0 && { suppressed: sample.suppressed }) }, message);
    sample.nextMs = nowMs + ROOM_LIMITS.sampledLogEveryMs;
    sample.suppressed = 0;
  };
}

/** Without this, Colyseus writes to the console: a stack trace for every bad frame. */
export function captureColyseusLog(log: SampledLog): void {
  const write =
    (level: Level) =>
    (...parts: unknown[]) => {
      const text = parts.map(String).join(' ').slice(0, MAX_TEXT_LENGTH);
      log(level, `${level} ${kindOf(text)}`, { code: 'COLYSEUS', colyseus: text }, 'message from Colyseus');
    };
  setLogger({
    trace: write('debug'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
}

/** The first line without its numbers. */
function kindOf(text: string): string {
  return text.split('\n', 1)[0]!.replace(/\d+/g, '0').slice(0, MAX_KIND_LENGTH);
}
