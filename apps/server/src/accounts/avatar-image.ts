import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { AVATAR_LIMITS, validateAvatarFile, validateAvatarSize } from '@engulf/domain/profile/avatar';
import { fileTypeFromBuffer } from 'file-type';
import type { SharpOptions } from 'sharp';
import { loadSharp } from '../platform/load-sharp.ts';

export type AvatarRefusal = Failure<
  'AVATAR_WRONG_TYPE' | 'AVATAR_TOO_HEAVY' | 'AVATAR_TOO_SMALL' | 'AVATAR_TOO_BIG' | 'AVATAR_INVALID_FILE'
>;

const SIDE_PX = 256;
const DECODING_SECONDS = 5;
const OPTIONS = {
  failOn: 'error',
  limitInputPixels: AVATAR_LIMITS.maxPx * AVATAR_LIMITS.maxPx,
  pages: 1,
} as const satisfies SharpOptions;

/**
 * Decodes an uploaded picture and draws it again, so that only its pixels are kept. Its type is taken from its bytes,
 * and its size is checked before it is decoded.
 */
export async function redrawAvatar(file: Uint8Array): Promise<Result<Uint8Array, AvatarRefusal>> {
  const type = await fileTypeFromBuffer(file);
  const isAllowed = validateAvatarFile({ mimeType: type?.mime, bytes: file.length });
  if (!isAllowed.ok) return isAllowed;
  const sharp = await loadSharp();
  const header = await sharp(file, OPTIONS)
    .metadata()
    .catch(() => undefined);
  if (!header) return refuse('AVATAR_INVALID_FILE');
  const hasRightSize = validateAvatarSize({ widthPx: header.width, heightPx: header.height });
  if (!hasRightSize.ok) return hasRightSize;
  try {
    const drawn = await sharp(file, OPTIONS)
      .autoOrient()
      .resize(SIDE_PX, SIDE_PX, { fit: 'cover' })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: DECODING_SECONDS })
      .toBuffer();
    return ok(drawn);
  } catch {
    return refuse('AVATAR_INVALID_FILE');
  }
}

/** One of our own drawings, as large as the uploaded pictures. */
export async function drawPortrait(svg: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(svg).resize(SIDE_PX, SIDE_PX).png({ compressionLevel: 9 }).toBuffer();
}
