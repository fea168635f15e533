import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

export type PrivateMessage = { readonly to: string; readonly message: string };

export const isPrivateMessage = (line: string): boolean => line.startsWith('@');

/** Reads '@name message'. The room decides whether there is such a player. */
export function parsePrivateMessage(line: string): Result<PrivateMessage, Failure<'CHAT_PRIVATE_FORMAT'>> {
  const [, to, message] = /^@(\S+)\s+(\S.*)$/s.exec(line) ?? [];
  return to === undefined || message === undefined ? refuse('CHAT_PRIVATE_FORMAT') : ok({ to, message });
}
