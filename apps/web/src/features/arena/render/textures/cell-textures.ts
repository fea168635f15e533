import type { Texture } from 'pixi.js';
import { drawCell } from '../../../../art/draw-cell.ts';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { drawDroplet, drawPlainCell } from '../../../../art/plain-cell.ts';
import { NUCLEUS_FROM_PX, nucleusPlace } from '../cell-look.ts';
import { paintTexture, TextureShelf } from './textures.ts';

/** Radii that cells are painted at, in screen pixels; sizes between are scaled down from the next larger one. */
const STEPS_PX = [14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 440] as const;
/** Painting takes milliseconds, so a frame paints at most this many and borrows another size for the rest. */
const MAX_PAINTS_PER_FRAME = 2;
const CAPACITY = 72;
const DROPLET_RADIUS_PX = 40;

export type BodyTexture = {
  readonly texture: Texture;
  /** Radius of the body within the texture. */
  readonly radiusPx: number;
};

/** Textures of cells by colour, size and detail. */
export function createCellTextures(density: number) {
  const shelf = new TextureShelf(CAPACITY);
  const droplets = PLAYER_COLOURS.map((colours, index) => {
    const half = DROPLET_RADIUS_PX * 1.9;
    return paintTexture(2 * half, 2 * half, density, (context) =>
      drawDroplet(context, half, half, DROPLET_RADIUS_PX, colours, index + 2),
    );
  });
  let paintsLeft = 0;

  return {
    beginFrame() {
      paintsLeft = MAX_PAINTS_PER_FRAME;
    },
    endFrame(isInUse: (texture: Texture) => boolean) {
      shelf.trim(isInUse);
    },
    pick(colour: number, radiusPx: number, hasDetail: boolean): BodyTexture {
      const wanted = stepFor(radiusPx);
      const step = affordable(colour, wanted, hasDetail);
      const key = keyOf(colour, step, hasDetail);
      if (!shelf.has(key)) paintsLeft -= 1;
      return {
        texture: shelf.take(key, () => paintCell(colour, step, hasDetail, density)),
        radiusPx: STEPS_PX[step]!,
      };
    },
    droplet(colour: number): BodyTexture {
      return { texture: droplets[colour] ?? droplets[0]!, radiusPx: DROPLET_RADIUS_PX };
    },
    destroy() {
      shelf.destroy();
      for (const texture of droplets) texture.destroy(true);
    },
  };

  /** The wanted size if it exists or may be painted now, else the nearest that exists. */
  function affordable(colour: number, wanted: number, hasDetail: boolean): number {
    if (paintsLeft > 0 || shelf.has(keyOf(colour, wanted, hasDetail))) return wanted;
    for (let distance = 1; distance < STEPS_PX.length; distance++) {
      for (const step of [wanted + distance, wanted - distance]) {
        if (shelf.has(keyOf(colour, step, hasDetail))) return step;
      }
    }
    return wanted;
  }
}

export type CellTextures = ReturnType<typeof createCellTextures>;

function stepFor(radiusPx: number): number {
  const step = STEPS_PX.findIndex((stepPx) => stepPx * 1.06 >= radiusPx);
  return step < 0 ? STEPS_PX.length - 1 : step;
}

function keyOf(colour: number, step: number, hasDetail: boolean): string {
  return `${colour}/${step}/${hasDetail}`;
}

function paintCell(colour: number, step: number, hasDetail: boolean, density: number): Texture {
  const r = STEPS_PX[step]!;
  const colours = PLAYER_COLOURS[colour] ?? PLAYER_COLOURS[0];
  if (!hasDetail) {
    const half = r + 2;
    return paintTexture(2 * half, 2 * half, density, (context) => drawPlainCell(context, half, r, colours));
  }
  const glow = Math.min(60, r * 0.34);
  const half = Math.ceil(r * 1.02 + glow + 2);
  return paintTexture(2 * half, 2 * half, density, (context) =>
    drawCell(context, {
      x: half,
      y: half,
      r,
      colours,
      seed: 20 + colour,
      ...(r > NUCLEUS_FROM_PX && { nucleus: emptyNucleus(r) }),
    }),
  );
}

/** The dark disc behind the portrait; smaller than it, so that it does not show around it. */
function emptyNucleus(r: number) {
  const { share, rise } = nucleusPlace(r);
  return { image: document.createElement('canvas'), share: share * 0.9, dy: -r * rise };
}
