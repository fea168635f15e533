import { setLogger } from '@colyseus/core/Logger';
import type { Level, SampledLog } from '../entrance/sampled-log.ts';

const MAX_KIND_LENGTH = 48;
const MAX_TEXT_LENGTH = 2_000;

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
