import { compact, expand } from '../anchors/anchor-memo.ts';
import { memoText } from '../node/memo-text.ts';

/* The memo beside a join: what its player signs its inputs with. Optional. */

const PREFIX = 'engulf1 inputs ';

export function writeInputsMemo(keyHex: string): string {
  return `${PREFIX}${compact(keyHex)}`;
}

/** The key in hexadecimal. Undefined for the memo of anything else. */
export function readInputsMemo(bytes: Uint8Array): string | undefined {
  const text = memoText(bytes);
  if (!text.startsWith(PREFIX)) return undefined;
  const key = expand(text.slice(PREFIX.length));
  // Base64 has spare bits at the end: there is one way to write a key.
  return key !== undefined && writeInputsMemo(key) === text ? key : undefined;
}
