import { type Failure, refuse } from './errors/registry.ts';
import { ok, type Result } from './errors/result.ts';

export const AVATAR_LIMITS = {
  mimeTypes: ['image/png', 'image/jpeg'],
  maxMegabytes: 5,
  minPx: 128,
  maxPx: 4096,
  uploadAfterMs: 1_000,
} as const;

const BYTES_PER_MEGABYTE = 1024 * 1024;

export type AvatarImage = {
  readonly mimeType: string;
  readonly bytes: number;
  readonly widthPx: number;
  readonly heightPx: number;
};

type AvatarFailure = Failure<
  'AVATAR_WRONG_TYPE' | 'AVATAR_TOO_HEAVY' | 'AVATAR_TOO_SMALL' | 'AVATAR_TOO_BIG' | 'AVATAR_INVALID_FILE'
>;

/** Both ends of each range are allowed. */
export function validateAvatar<Image extends AvatarImage>(image: Image): Result<Image, AvatarFailure> {
  const { mimeTypes, maxMegabytes, minPx, maxPx } = AVATAR_LIMITS;
  const { mimeType, bytes, widthPx, heightPx } = image;
  if (!mimeTypes.some((allowed) => allowed === mimeType)) return refuse('AVATAR_WRONG_TYPE');
  if (bytes > maxMegabytes * BYTES_PER_MEGABYTE) return refuse('AVATAR_TOO_HEAVY', { maxMegabytes });
  if (!isPixelCount(widthPx) || !isPixelCount(heightPx)) return refuse('AVATAR_INVALID_FILE');
  if (Math.min(widthPx, heightPx) < minPx) return refuse('AVATAR_TOO_SMALL', { minPx });
  if (Math.max(widthPx, heightPx) > maxPx) return refuse('AVATAR_TOO_BIG', { maxPx });
  return ok(image);
}

function isPixelCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
