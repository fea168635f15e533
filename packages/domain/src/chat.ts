import { type Failure, refuse } from './errors/registry.ts';
import { ok, type Result } from './errors/result.ts';

export const CHAT_LIMITS = {
  /** In UTF-16 units, as an input's maxlength counts. */
  maxLength: 200,
  historyPageSize: 10,
  historyScrollThresholdPx: 50,
  /** The in-game list is cut back to `trimTo` whenever it outgrows `keep`. */
  keep: 50,
  trimTo: 30,
  errorShownMs: 5_000,
  formatErrorShownMs: 3_000,
} as const;

export const LOBBY_CHAT_TYPES = ['user', 'system'] as const;
export type LobbyChatType = (typeof LOBBY_CHAT_TYPES)[number];

export const ROOM_CHAT_TYPES = [
  'player',
  'server',
  'system',
  'join',
  'leave',
  'kill',
  'admin',
  'announcement',
  'private',
] as const;
export type RoomChatType = (typeof ROOM_CHAT_TYPES)[number];

/** The message as it may be sent: trimmed, neither blank nor too long. */
export function cleanChatMessage(text: string): Result<string, Failure<'CHAT_EMPTY' | 'CHAT_TOO_LONG'>> {
  const message = text.trim();
  if (message === '') return refuse('CHAT_EMPTY');
  if (message.length > CHAT_LIMITS.maxLength) {
    return refuse('CHAT_TOO_LONG', { maxLength: CHAT_LIMITS.maxLength });
  }
  return ok(message);
}

/** Adds a message to the in-game list. */
export function appendChatMessage<Message>(list: readonly Message[], message: Message): readonly Message[] {
  const longer = [...list, message];
  return longer.length > CHAT_LIMITS.keep ? longer.slice(-CHAT_LIMITS.trimTo) : longer;
}
