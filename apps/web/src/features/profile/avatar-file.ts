import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { validateAvatarFile, validateAvatarSize } from '@engulf/domain/profile/avatar';

export type Notice = { readonly title: string; readonly text: string };
export type CropArea = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** A picture that may become an avatar. Its owner has to revoke `url`. */
export type ChosenPicture = { readonly image: HTMLImageElement; readonly url: string };

/** The server draws it smaller; this leaves room for sharper screens later. */
const CROPPED_PX = 512;

export async function openPicture(file: File): Promise<Result<ChosenPicture, Notice>> {
  const isAllowed = validateAvatarFile({ mimeType: file.type, bytes: file.size });
  if (!isAllowed.ok) return err(describeFailure(isAllowed.error));
  const url = URL.createObjectURL(file);
  const refuse = (refusal: Failure) => {
    URL.revokeObjectURL(url);
    return err(describeFailure(refusal));
  };
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return refuse(failure('AVATAR_INVALID_FILE'));
  }
  const hasRightSize = validateAvatarSize({ widthPx: image.naturalWidth, heightPx: image.naturalHeight });
  return hasRightSize.ok ? ok({ image, url }) : refuse(hasRightSize.error);
}

/** The circle inside of `area`, as a PNG whose corners are transparent. */
export async function cropCircle(image: HTMLImageElement, area: CropArea): Promise<Result<Blob, Notice>> {
  const canvas = document.createElement('canvas');
  canvas.width = CROPPED_PX;
  canvas.height = CROPPED_PX;
  const context = canvas.getContext('2d');
  if (!context) return err(describeFailure(failure('AVATAR_CANNOT_PROCESS')));
  context.beginPath();
  context.arc(CROPPED_PX / 2, CROPPED_PX / 2, CROPPED_PX / 2, 0, 2 * Math.PI);
  context.clip();
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, CROPPED_PX, CROPPED_PX);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? ok(blob) : err(describeFailure(failure('AVATAR_PROCESSING_FAILED')));
}
