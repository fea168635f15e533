import type { LogFnFields, Logger } from 'pino';
import { ROOM_LIMITS } from '../limits.ts';
import type { Clock } from '../ports.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

/** A log for lines that strangers can provoke: one per kind and interval, with the number of those left out. */
export type SampledLog = (
  level: Level,
  kind: string,
  fields: LogFnFields & Record<string, unknown>,
  message: string,
) => void;

/** Kinds can hold text of strangers, so their number is bounded; all others share one kind. */
const MAX_KINDS = 64;

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
