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
 * set the direction of writing. The joiner U+200D and the selector U+FE0F stay, because emoji are made with them.
 */
const HIDDEN =
  /[[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]--[\u200d\ufe0f]]/gv;
/** Those two where no emoji needs them. */
const LOOSE = /(?<!\p{Emoji})\ufe0f|(?<!\p{Emoji}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** More marks on one letter than any language needs cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** The message as it may be sent: on one line, without tricks, neither blank nor too long. */
export function cleanChatMessage(text: string): Result<string, Failure<'CHAT_EMPTY' | 'CHAT_TOO_LONG'>> {
  const message = text
    .replace(SPACES, ' ')
    .replace(HIDDEN, '')
    .normalize('NFC')
    .replace(LOOSE, '')
    .replace(STACKED_MARKS, '$1')
    .replace(SPACES, ' ')
    .trim();
  if (message === '') return refuse('CHAT_EMPTY');
  if (message.length > CHAT_LIMITS.maxLength) {
    return refuse('CHAT_TOO_LONG', { maxLength: CHAT_LIMITS.maxLength });
  }
  return ok(message);
}
