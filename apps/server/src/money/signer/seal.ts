import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Worker and signer share a secret and authenticate their messages with it. An answer is sealed together with its
 * question, so that it cannot pass for the answer to another one. The contents are not secret, and replaying a question
 * does no harm.
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
