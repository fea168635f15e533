import type { Texture } from 'pixi.js';
import { drawPlasmaPicture, membraneLines } from '../../../../art/draw-cell.ts';
import { mix, withAlpha } from '../../../../art/paint.ts';
import type { ColourPair } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

/*
 * One picture per colour, whatever the size of the cell: the plasma, which the cell's shape is cut from, and beside it
 * the membrane's profile from inside to outside, which is laid along the outline.
 */

/** The cell's radius in the picture, and how far the plasma reaches from its centre, in radii. */
export const PLASMA = { radiusPx: 150, reach: 2 } as const;
const STRIP = { width: 48, height: 128 } as const;
/** The outline lies in the middle of the profile: membrane on one side, glow on the other. */
const OUTLINE_AT = 0.5;
/** Own cells carry a pink ring outside their membrane, after a dark gap, whatever their colour. */
export const OWN_RING = {
  colour: '#FF6F91',
  edge: '#FFF4EC',
  gapColour: '#060B0A',
  gapPx: 3.5,
  linePx: 4,
  fadePx: 22,
} as const;
/** Without its glow: what is left of the ring when detail is reduced. */
export const OWN_RING_REACH_PX = OWN_RING.gapPx + OWN_RING.linePx;
const OWN_REACH_PX = OWN_RING_REACH_PX + OWN_RING.fadePx;

export type Flesh = {
  readonly colours: ColourPair;
  /** Decides what there is in the plasma. */
  readonly seed: number;
  readonly lines: ReturnType<typeof membraneLines>;
  /** For WebGL only: the plain canvas paints its own, in the sizes that it needs. */
  readonly picture: () => FleshPicture;
};

type FleshPicture = {
  readonly texture: Texture;
  /** Texture coordinates of the plasma: the middle, and one radius. */
  readonly centreU: number;
  readonly centreV: number;
  readonly radiusU: number;
  readonly radiusV: number;
  /** The column of the profile, and its rows. */
  readonly profileU: number;
  readonly ownProfileU: number;
  readonly innerV: number;
  readonly outlineV: number;
  readonly glowV: number;
  /** Where the ring of own cells ends and its glow begins. */
  readonly ownRingV: number;
};

export type FleshTextures = ReturnType<typeof createFleshTextures>;

export function createFleshTextures(density: number, palette: () => readonly ColourPair[]) {
  const pictures = new Map<ColourPair, FleshPicture>();
  const kinds = new Map<ColourPair, Flesh>();
  return {
    /**
     * Paints one picture that is missing, and returns whether there was one. Called while the arena is still loading, so
     * that no fight waits for a painter.
     */
    prepareNext(): boolean {
      const missing = palette().findIndex((colours) => !pictures.has(colours));
      if (missing >= 0) this.of(missing).picture();
      return missing >= 0;
    },
    of(colour: number): Flesh {
      const colours = palette()[colour] ?? palette()[0]!;
      let flesh = kinds.get(colours);
      if (!flesh) {
        const seed = 20 + colour;
        flesh = { colours, seed, lines: membraneLines(colours), picture: () => pictureOf(colours, seed) };
        kinds.set(colours, flesh);
      }
      return flesh;
    },
    destroy() {
      for (const { texture } of pictures.values()) texture.destroy(true);
      pictures.clear();
    },
  };

  function pictureOf(colours: ColourPair, seed: number): FleshPicture {
    let picture = pictures.get(colours);
    if (!picture) {
      picture = paintFlesh(colours, seed, density);
      pictures.set(colours, picture);
    }
    return picture;
  }
}

function paintFlesh(colours: ColourPair, seed: number, density: number): FleshPicture {
  const radiusPx = PLASMA.radiusPx * Math.min(2, density);
  const side = Math.ceil(2 * PLASMA.reach * radiusPx);
  const canvas = document.createElement('canvas');
  canvas.width = side + 2 * STRIP.width;
  canvas.height = side;
  const context = canvas.getContext('2d')!;
  context.save();
  context.beginPath();
  context.rect(0, 0, side, side);
  context.clip();
  drawPlasmaPicture(context, { x: side / 2, y: side / 2, r: radiusPx, colours, seed }, side);
  context.restore();
  paintProfile(context, side, colours, false);
  paintProfile(context, side + STRIP.width, colours, true);
  const outlineV = (STRIP.height * OUTLINE_AT) / canvas.height;
  const glowV = (STRIP.height - 2) / canvas.height;
  return {
    texture: canvasTexture(canvas, 1, true),
    centreU: side / 2 / canvas.width,
    centreV: 0.5,
    radiusU: radiusPx / canvas.width,
    radiusV: radiusPx / canvas.height,
    profileU: (side + STRIP.width / 2) / canvas.width,
    ownProfileU: (side + STRIP.width * 1.5) / canvas.width,
    innerV: 2 / canvas.height,
    outlineV,
    glowV,
    ownRingV: outlineV + (glowV - outlineV) * (OWN_RING_REACH_PX / OWN_REACH_PX),
  };
}

/** From the inner edge of the membrane (top) over the outline (middle) to the end of the glow (bottom). */
function paintProfile(
  context: CanvasRenderingContext2D,
  left: number,
  colours: ColourPair,
  isOwn: boolean,
): void {
  const [fill] = colours;
  const outlineY = STRIP.height * OUTLINE_AT;
  context.clearRect(left, 0, STRIP.width, STRIP.height + 8);
  const lines = membraneLines(colours);
  const inner = lines[0]![0];
  for (const [reach, colour] of lines) {
    const top = outlineY * (1 - reach / inner);
    context.fillStyle = colour;
    context.fillRect(left, top, STRIP.width, outlineY - top);
  }
  const glow = context.createLinearGradient(0, outlineY, 0, STRIP.height);
  if (isOwn) {
    const at = (px: number) => px / OWN_REACH_PX;
    const line = OWN_RING_REACH_PX;
    glow.addColorStop(0, withAlpha(OWN_RING.gapColour, 0.55));
    glow.addColorStop(at(OWN_RING.gapPx), withAlpha(OWN_RING.gapColour, 0.4));
    glow.addColorStop(at(OWN_RING.gapPx) + 0.001, OWN_RING.edge);
    glow.addColorStop(at(OWN_RING.gapPx + 1), OWN_RING.colour);
    glow.addColorStop(at(line), OWN_RING.colour);
    glow.addColorStop(at(line) + 0.001, withAlpha(OWN_RING.colour, 0.4));
  } else {
    glow.addColorStop(0, withAlpha(mix(fill, '#000000', 0.1), 0.34));
    glow.addColorStop(0.4, withAlpha(fill, 0.12));
  }
  glow.addColorStop(1, withAlpha(isOwn ? OWN_RING.colour : fill, 0));
  context.fillStyle = glow;
  context.fillRect(left, outlineY, STRIP.width, STRIP.height - outlineY);
}

/** How far the glow reaches outside the membrane, in screen pixels. */
export function glowReachPx(radiusPx: number, isOwn: boolean): number {
  return isOwn ? OWN_REACH_PX : Math.min(60, radiusPx * 0.34);
}
