import { Rectangle, Texture } from 'pixi.js';
import { drawDroplet } from '../../../../art/droplet.ts';
import type { ColourPair } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

export type BodyTexture = {
  readonly texture: Texture;
  /** Radius of the body within the texture. */
  readonly radiusPx: number;
};

const RADIUS_PX = 40;
const HALF_PX = RADIUS_PX * 1.9;
/** After the players' colours: what viruses, portals and light are made of. */
const EXTRA = {
  virus: ['#C6F26B', '#5C9230'],
  ember: ['#FFD28A', '#FF9330'],
  light: ['#FFFFFF', '#F5F2E7'],
} as const;
const EXTRA_NAMES = Object.keys(EXTRA) as (keyof typeof EXTRA)[];

export type DropletColour = number | keyof typeof EXTRA;

export type DropletTextures = ReturnType<typeof createDropletTextures>;

/** Drops of ejected mass, and particles: all colours in one texture, so that they are drawn in one batch. */
export function createDropletTextures(palette: readonly ColourPair[]) {
  const colours: readonly ColourPair[] = [...palette, ...EXTRA_NAMES.map((name) => EXTRA[name])];
  const side = 2 * HALF_PX;
  const canvas = document.createElement('canvas');
  canvas.width = side * colours.length;
  canvas.height = side;
  const context = canvas.getContext('2d')!;
  colours.forEach((pair, index) => {
    drawDroplet(context, index * side + HALF_PX, HALF_PX, RADIUS_PX, pair, index + 2);
  });
  const atlas = canvasTexture(canvas, 1, true);
  const textures = colours.map(
    (_, index) => new Texture({ source: atlas.source, frame: new Rectangle(index * side, 0, side, side) }),
  );
  return {
    radiusPx: RADIUS_PX,
    of(colour: DropletColour): Texture {
      const index = typeof colour === 'number' ? colour : palette.length + EXTRA_NAMES.indexOf(colour);
      return textures[index] ?? textures[0]!;
    },
    destroy() {
      for (const texture of textures) texture.destroy();
      atlas.destroy(true);
    },
  };
}
