import { avatarUrlOf } from '@engulf/domain/profile/avatar';
import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import type { Texture } from 'pixi.js';
import { defaultAvatarOf, defaultAvatarUrl } from '../../../../art/default-avatar.ts';
import { disc, INK, mix, withAlpha } from '../../../../art/paint.ts';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

const RADIUS_PX = 128;
const RIM = 1.07;

/** Half the side of the texture, as a share of the portrait's radius. */
export const PORTRAIT_REACH = RIM + 0.02;

/** The rim of an admin's portrait. */
const ADMIN_RIM = '#FFC51F';
/** More than a crowded arena shows. Those that have not been seen for longest are let go. */
const MAX_KEPT = 64;
const TRIM_EVERY_MS = 30_000;

type Portrait = { texture: Texture | undefined; isBroken: boolean; usedAtMs: number };
type Picture = HTMLImageElement | ImageBitmap;
type Face = Pick<PlayerView, 'name' | 'picture' | 'isAdmin'>;

/** The nuclei: each player's portrait as a disc, with a dark rim in the colour of the cell. */
export function createPortraits() {
  const portraits = new Map<string, Portrait>();
  /** Pictures that have been decoded, off this thread. */
  const decoded: (() => void)[] = [];
  let nowMs = 0;
  let trimmedAtMs = 0;
  let isDestroyed = false;

  return {
    /** Call once per frame: one picture is painted at most, so that many newcomers do not hold up a frame. */
    prepareNext(frameMs: number): void {
      nowMs = frameMs;
      decoded.shift()?.();
      if (nowMs - trimmedAtMs < TRIM_EVERY_MS) return;
      trimmedAtMs = nowMs;
      trim();
    },
    /** Undefined until the picture has loaded. One that cannot be shown gives way to the default portrait. */
    of({ name, picture, isAdmin }: Face, colour: number): Texture | undefined {
      if (picture !== undefined) {
        const own = take(picture, () => loadPicture(avatarUrlOf(picture)), colour, isAdmin);
        if (!own.isBroken) return own.texture;
      }
      return take(defaultAvatarOf(name), () => loadDrawing(defaultAvatarUrl(name)), colour, isAdmin).texture;
    },
    destroy() {
      isDestroyed = true;
      for (const { texture } of portraits.values()) texture?.destroy(true);
      portraits.clear();
    },
  };

  /** `face` is the hash of a picture or the name of a drawing: addresses are long, and this is called for every cell. */
  function take(face: string, load: () => Promise<Picture>, colour: number, isAdmin: boolean): Portrait {
    const key = `${colour}/${isAdmin}/${face}`;
    const known = portraits.get(key);
    if (known) {
      known.usedAtMs = nowMs;
      return known;
    }
    const portrait: Portrait = { texture: undefined, isBroken: false, usedAtMs: nowMs };
    portraits.set(key, portrait);
    load().then(
      (image) =>
        decoded.push(() => {
          if (!isDestroyed && portraits.has(key)) portrait.texture = paintPortrait(image, colour, isAdmin);
          if (image instanceof ImageBitmap) image.close();
        }),
      () => {
        portrait.isBroken = true;
      },
    );
    return portrait;
  }

  function trim(): void {
    const byAge = [...portraits].toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    for (const [key, { texture, usedAtMs }] of byAge.slice(0, -MAX_KEPT)) {
      if (nowMs - usedAtMs < TRIM_EVERY_MS) return;
      portraits.delete(key);
      texture?.destroy(true);
    }
  }
}

export type Portraits = ReturnType<typeof createPortraits>;

/** A player's own picture. */
async function loadPicture(url: string): Promise<Picture> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be loaded`);
  const sidePx = 2 * RADIUS_PX;
  return createImageBitmap(await response.blob(), { resizeWidth: sidePx, resizeHeight: sidePx });
}

/** The default portraits are vector drawings, which only an element can decode. */
async function loadDrawing(url: string): Promise<Picture> {
  const image = new Image(2 * RADIUS_PX, 2 * RADIUS_PX);
  image.src = url;
  await image.decode();
  return image;
}

function paintPortrait(image: Picture, colour: number, isAdmin: boolean): Texture {
  const [, membrane] = PLAYER_COLOURS[colour] ?? PLAYER_COLOURS[0];
  const half = RADIUS_PX * PORTRAIT_REACH;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(2 * half);
  canvas.height = Math.ceil(2 * half);
  const context = canvas.getContext('2d')!;
  context.fillStyle = isAdmin ? ADMIN_RIM : withAlpha(mix(membrane, INK, 0.55), 0.9);
  disc(context, half, half, RADIUS_PX * RIM);
  context.beginPath();
  context.arc(half, half, RADIUS_PX, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, half - RADIUS_PX, half - RADIUS_PX, 2 * RADIUS_PX, 2 * RADIUS_PX);
  return canvasTexture(canvas, 1, true);
}
