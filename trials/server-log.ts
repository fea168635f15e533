import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a room says if money was moved otherwise than in its arena. */
const DISORDER = ['BOUNTY_MISMATCH', 'BOUNTY_MOVES_REFUSED', 'ENTRY_NOT_SETTLED'];

/** The lines that a server with this data folder has written, over all its starts. */
export function readServerLog(folder: string): Record<string, unknown>[] {
  const file = join(folder, 'server.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch {
        // The last line of a process that was killed may be cut.
        return [];
      }
    });
}

/** The codes of the lines in which rooms and ledger disagree. */
export function disorderIn(lines: readonly Record<string, unknown>[]): string[] {
  return lines.map(({ code }) => String(code)).filter((code) => DISORDER.includes(code));
}
