import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

export const CHAT_LIMITS = {
  /** In UTF-16 units, as an input's maxlength counts. */
  maxLength: 200,
  historyPageSize: 10,
} as const;

const SPACES = /[\s\p{Z}]+/gu;
/**
 * Characters that nobody sees, or that turn the text around them: controls, invisible operators and tags, marks that
 * set the direction of writing. The joiner U+200D stays, because emoji are made with it.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** A joiner that joins nothing. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** More marks on one letter than any language needs cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** The message as it may be sent: on one line, without tricks, neither blank nor too long. */
export function cleanChatMessage(text: string): Result<string, Failure<'CHAT_EMPTY' | 'CHAT_TOO_LONG'>> {
  const message = text
    .replace(SPACES, ' ')
    .replace(HIDDEN, '')
    .normalize('NFC')
    .replace(LOOSE_JOINER, '')
    .replace(STACKED_MARKS, '$1')
    .replace(SPACES, ' ')
    .trim();
  if (message === '') return refuse('CHAT_EMPTY');
  if (message.length > CHAT_LIMITS.maxLength) {
    return refuse('CHAT_TOO_LONG', { maxLength: CHAT_LIMITS.maxLength });
  }
  return ok(message);
}
