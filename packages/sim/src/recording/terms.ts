import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** What the first match of a lobby names as the one before it. */
export function firstPrevious(lobby: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes('engulf lobby 1\n'), lobby));
}

/** What a match is bound to, together with its commitment, before its block exists. */
export type Terms = {
  /** The account of the lobby, 32 bytes. */
  readonly lobby: Uint8Array;
  /** As the recording has them. */
  readonly rulesText: string;
  readonly receiptKey: Uint8Array;
};

export function termsHash({ lobby, rulesText, receiptKey }: Terms): Uint8Array {
  const rules = sha256(utf8ToBytes(rulesText));
  return sha256(concatBytes(utf8ToBytes('engulf terms 1\n'), lobby, rules, receiptKey));
}
