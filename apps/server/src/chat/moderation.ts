import { Profanity } from '@2toad/profanity';

const MASK = '****';

const list = new Profanity({ wholeWord: true, grawlix: MASK, languages: ['en'] });

/** Replaces every word of the list by four asterisks, whatever its case. */
export function maskProfanity(text: string): string {
  return list
    .censor(text)
    .split(' ')
    .map((word) => (isDisguised(word) ? MASK : word))
    .join(' ');
}

/** Written with accents, or with letters that only look like Latin ones: 'ｆｕｃｋ'. */
function isDisguised(word: string): boolean {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain !== word && list.exists(plain);
}
