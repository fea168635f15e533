import { createHash, randomBytes } from 'node:crypto';

export const SESSION_COOKIE = 'engulf_session';

const TOKEN_BYTES = 32;

export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The token is random and long, so that a fast hash is enough. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** From a raw `Cookie` header, where no framework has read it. The token needs no decoding. */
export function readSessionToken(cookieHeader: string | undefined): string | undefined {
  const prefix = `${SESSION_COOKIE}=`;
  const cookie = cookieHeader?.split(/;\s*/).find((part) => part.startsWith(prefix));
  return cookie?.slice(prefix.length);
}
