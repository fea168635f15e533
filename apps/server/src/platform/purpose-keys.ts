import { hkdfSync } from 'node:crypto';

const PURPOSES = ['tickets', 'addresses', 'traits', 'telegram'] as const;

/** One key for each purpose, so that nothing that is signed or hashed for one counts for another. */
export type PurposeKeys = { readonly [purpose in (typeof PURPOSES)[number]]: Uint8Array };

const KEY_BYTES = 32;

/** The same secret gives the same keys, so all processes of a server agree on them. */
export function deriveKeys(secret: string): PurposeKeys {
  const keyFor = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `engulf ${purpose}`, KEY_BYTES));
  return Object.fromEntries(PURPOSES.map((purpose) => [purpose, keyFor(purpose)])) as PurposeKeys;
}
