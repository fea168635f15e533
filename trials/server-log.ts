import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is said if money was moved otherwise than in an arena. */
export const BOUNTIES_ASTRAY = ['BOUNTY_MISMATCH', 'BOUNTY_MOVES_REFUSED'];

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

/** Each time that one of the codes was logged. */
export function codesIn(lines: readonly Record<string, unknown>[], codes: readonly string[]): string[] {
  return lines.map(({ code }) => String(code)).filter((code) => codes.includes(code));
}
