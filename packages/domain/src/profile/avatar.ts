import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

const BYTES_PER_MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 5;

export const AVATARS_PATH = '/avatars';
const AVATAR_URL = /^\/avatars\/([0-9a-f]{64})\.png$/;

export const AVATAR_LIMITS = {
  mimeTypes: ['image/png', 'image/jpeg'],
  maxBytes: MAX_MEGABYTES * BYTES_PER_MEGABYTE,
  /** Of the shorter side. */
  minPx: 128,
  /** Of the longer side. */
  maxPx: 4096,
  uploadAfterMs: 1_000,
} as const;

/** Pictures are stored under the hash of their content. */
export function avatarUrlOf(hash: string): string {
  return `${AVATARS_PATH}/${hash}.png`;
}

/** The hash in one of our own addresses; undefined for any other address. */
export function avatarHashOf(url: string | null): string | undefined {
  return AVATAR_URL.exec(url ?? '')?.[1];
}

type AvatarFile = { readonly mimeType: string | undefined; readonly bytes: number };
type AvatarSize = { readonly widthPx: number; readonly heightPx: number };

/** What can be said of a picture before it is decoded. */
export function validateAvatarFile({
  mimeType,
  bytes,
}: AvatarFile): Result<undefined, Failure<'AVATAR_WRONG_TYPE' | 'AVATAR_TOO_HEAVY' | 'AVATAR_INVALID_FILE'>> {
  if (!AVATAR_LIMITS.mimeTypes.some((allowed) => allowed === mimeType)) return refuse('AVATAR_WRONG_TYPE');
  if (bytes > AVATAR_LIMITS.maxBytes) return refuseHeavyAvatar();
  return bytes === 0 ? refuse('AVATAR_INVALID_FILE') : ok(undefined);
}

export const refuseHeavyAvatar = () => refuse('AVATAR_TOO_HEAVY', { maxMegabytes: MAX_MEGABYTES });

/** Both ends of each range are allowed. */
export function validateAvatarSize({
  widthPx,
  heightPx,
}: AvatarSize): Result<undefined, Failure<'AVATAR_TOO_SMALL' | 'AVATAR_TOO_BIG' | 'AVATAR_INVALID_FILE'>> {
  const { minPx, maxPx } = AVATAR_LIMITS;
  if (![widthPx, heightPx].every((px) => Number.isInteger(px) && px > 0))
    return refuse('AVATAR_INVALID_FILE');
  if (Math.min(widthPx, heightPx) < minPx) return refuse('AVATAR_TOO_SMALL', { minPx });
  if (Math.max(widthPx, heightPx) > maxPx) return refuse('AVATAR_TOO_BIG', { maxPx });
  return ok(undefined);
}
