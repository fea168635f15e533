import type { Frame } from '../../model/frame/frame.ts';
import { hasLightGround } from '../look.ts';
import { DUST, paintMote, paintVignette, placeDust } from '../passes/atmosphere-passes.ts';
import { lightKey, lineColour, paintLight, placeLines } from '../passes/ground-pass.ts';
import { placeLabels, SECTOR_LABEL_ALPHA, sectorName, setLettering } from '../passes/sector-pass.ts';
import type { DrawQuality } from '../quality.ts';
import type { Pass } from '../stage.ts';
import { createPainted, createScreenPicture } from './painted.ts';

/** Light, grid, dust and the names of the fields, on the plain canvas. */
export function createPaintedGround(): Pass {
  const light = createScreenPicture(true);
  const motes = createMotes();
  let shown: { readonly frame: Frame; readonly quality: DrawQuality } | undefined;
  const layer = createPainted((context, density) => {
    if (!shown) return;
    const { frame, quality } = shown;
    const { camera, worldSize } = frame;
    const { look } = quality;
    light(context, lightKey(look), (onto) => paintLight(onto, look));
    context.fillStyle = lineColour(look);
    placeLines(camera, worldSize, look, (x, y, width, height, alpha) => {
      context.globalAlpha = alpha;
      context.fillRect(
        Math.round(x * density),
        Math.round(y * density),
        Math.max(1, Math.round(width * density)),
        Math.max(1, Math.round(height * density)),
      );
    });
    context.globalAlpha = 1;
    if (quality.hasDetail) motes(context, frame, density);
    paintLabels(context, frame, density, hasLightGround(look));
  });
  return {
    layer,
    draw(frame, quality) {
      shown = { frame, quality };
    },
    destroy() {
      layer.destroy();
    },
  };
}

function paintLabels(
  context: CanvasRenderingContext2D,
  { camera, worldSize }: Frame,
  density: number,
  isOnCream: boolean,
): void {
  let isSet = false;
  placeLabels(camera, worldSize, (row, column, _place, x, y, fontPx) => {
    if (fontPx === 0) return;
    if (!isSet) {
      isSet = true;
      // A whole number of pixels, because the browser caches glyphs by size.
      setLettering(context, Math.max(1, Math.round(fontPx * density)), isOnCream);
      context.globalAlpha = SECTOR_LABEL_ALPHA;
    }
    context.fillText(sectorName(row, column), Math.round(x * density), Math.round(y * density));
  });
  context.globalAlpha = 1;
}

/** Each mote is painted once, in its own size and opacity. */
function createMotes() {
  let pictures: readonly HTMLCanvasElement[] = [];
  let paintedFor = 0;
  return (context: CanvasRenderingContext2D, { camera }: Frame, density: number): void => {
    if (density !== paintedFor) {
      paintedFor = density;
      pictures = DUST.map(({ radiusPx, alpha }) => {
        const canvas = document.createElement('canvas');
        const half = Math.round(radiusPx * density);
        canvas.width = 2 * half;
        canvas.height = 2 * half;
        paintMote(canvas.getContext('2d')!, half, alpha);
        return canvas;
      });
    }
    placeDust(camera, (index, x, y) => {
      const picture = pictures[index]!;
      const left = Math.round(x * density) - picture.width / 2;
      const top = Math.round(y * density) - picture.height / 2;
      const isInSight = left < context.canvas.width && top < context.canvas.height;
      if (isInSight && left + picture.width > 0 && top + picture.height > 0)
        context.drawImage(picture, left, top);
    });
  };
}

/** Dark corners, on the plain canvas. */
export function createPaintedVignette(): Pass {
  const shade = createScreenPicture(false);
  const layer = createPainted((context) => shade(context, '', paintVignette));
  return {
    layer,
    draw(_frame, { hasDetail }) {
      layer.visible = hasDetail;
    },
    destroy() {
      layer.destroy();
    },
  };
}
