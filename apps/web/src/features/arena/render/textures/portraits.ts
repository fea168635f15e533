import { Texture } from 'pixi.js';
import { defaultAvatarUrl } from '../../../../art/default-avatar.ts';
import { disc, INK, mix, withAlpha } from '../../../../art/paint.ts';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

const RADIUS_PX = 128;
const RIM = 1.07;

/** Half the side of the texture, as a share of the portrait's radius. */
export const PORTRAIT_REACH = RIM + 0.02;

/** The nuclei: each player's portrait as a disc, with a dark rim in the colour of the cell. */
export function createPortraits() {
  const textures = new Map<string, Texture>();
  let isDestroyed = false;

  return {
    /** Undefined until the picture has loaded. */
    of(name: string, colour: number): Texture | undefined {
      const url = defaultAvatarUrl(name);
      const key = `${colour}/${url}`;
      const known = textures.get(key);
      if (known) return known === Texture.EMPTY ? undefined : known;
      textures.set(key, Texture.EMPTY);
      void load(url).then((image) => {
        if (image && !isDestroyed) textures.set(key, paintPortrait(image, colour));
      });
      return undefined;
    },
    destroy() {
      isDestroyed = true;
      for (const texture of textures.values()) if (texture !== Texture.EMPTY) texture.destroy(true);
      textures.clear();
    },
  };
}

export type Portraits = ReturnType<typeof createPortraits>;

async function load(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image(2 * RADIUS_PX, 2 * RADIUS_PX);
  image.src = url;
  return image.decode().then(
    () => image,
    () => undefined,
  );
}

function paintPortrait(image: HTMLImageElement, colour: number): Texture {
  const [, membrane] = PLAYER_COLOURS[colour] ?? PLAYER_COLOURS[0];
  const half = RADIUS_PX * PORTRAIT_REACH;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(2 * half);
  canvas.height = Math.ceil(2 * half);
  const context = canvas.getContext('2d')!;
  context.fillStyle = withAlpha(mix(membrane, INK, 0.55), 0.9);
  disc(context, half, half, RADIUS_PX * RIM);
  context.beginPath();
  context.arc(half, half, RADIUS_PX, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, half - RADIUS_PX, half - RADIUS_PX, 2 * RADIUS_PX, 2 * RADIUS_PX);
  return canvasTexture(canvas, 1, true);
}
