import { CARD } from '@engulf/card/card-layout';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { fileTypeFromBuffer } from 'file-type';
import { loadSharp } from '../platform/load-sharp.ts';

const MAX_PX = { width: CARD.width * CARD.pixelRatio, height: CARD.height * CARD.pixelRatio } as const;

/** Whether a file may be a card drawn by the page. Only its header is read; it is neither decoded nor kept. */
export async function checkCardFile(
  file: Uint8Array,
): Promise<Result<undefined, Failure<'SHARE_FILE_INVALID'>>> {
  const type = await fileTypeFromBuffer(file);
  if (type?.mime !== 'image/png') return refuse('SHARE_FILE_INVALID');
  const sharp = await loadSharp();
  const header = await sharp(file, { limitInputPixels: MAX_PX.width * MAX_PX.height, failOn: 'error' })
    .metadata()
    .catch(() => undefined);
  const isCard = header && header.width <= MAX_PX.width && header.height <= MAX_PX.height;
  return isCard ? ok(undefined) : refuse('SHARE_FILE_INVALID');
}
