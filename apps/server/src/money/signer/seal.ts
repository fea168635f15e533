import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Worker and signer share a secret. Both seal what they say; an answer is sealed together with its question, so that
 * the answer to another question is not taken for it. Nothing in it is secret, and a repeated question does no harm.
 */

export const SEAL_HEADER = 'x-engulf-seal';

export function seal(secret: string, ...texts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const text of texts) hmac.update(`${Buffer.byteLength(text)}:${text}`);
  return hmac.digest('hex');
}

export function isSealed(found: unknown, secret: string, ...texts: readonly string[]): boolean {
  const wanted = Buffer.from(seal(secret, ...texts));
  const given = Buffer.from(typeof found === 'string' ? found : '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
