import { Rectangle, Texture } from 'pixi.js';
import { displayFont, drawOutlined, figureFont } from './lettering.ts';
import { canvasTexture, paintTexture, TextureShelf } from './textures.ts';

const NAME_STEPS_PX = [15, 24, 34] as const;
const NAME_CAPACITY = 160;
const MASS_PX = 22;
const FIGURES = '0123456789,';

/** Names are painted as a whole; masses change all the time, so their digits are painted one by one. */
export function createLabelTextures(density: number) {
  const names = new TextureShelf(NAME_CAPACITY);
  const figures = paintFigures(density);
  return {
    figures: figures.glyphs,
    /** Font size of the painted digits. */
    figurePx: MASS_PX,
    name(name: string, px: number): { texture: Texture; px: number } {
      const step = NAME_STEPS_PX.find((each) => each >= px - 1) ?? NAME_STEPS_PX[2];
      return { texture: names.take(`${step}/${name}`, () => paintName(name, step, density)), px: step };
    },
    trim(isInUse: (texture: Texture) => boolean) {
      names.trim(isInUse);
    },
    destroy() {
      names.destroy();
      figures.destroy();
    },
  };
}

export type LabelTextures = ReturnType<typeof createLabelTextures>;
type Glyph = { readonly texture: Texture; readonly advancePx: number };

function paintName(name: string, px: number, density: number): Texture {
  const outline = Math.max(3, px * 0.2);
  const measure = document.createElement('canvas').getContext('2d')!;
  measure.font = displayFont(px);
  const width = measure.measureText(name).width + outline * 2 + 4;
  const height = px * 1.5 + outline;
  return paintTexture(width, height, density, (context) => {
    context.font = displayFont(px);
    drawOutlined(context, name, width / 2, height / 2, outline);
  });
}

function paintFigures(density: number) {
  const cell = MASS_PX * 1.2;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(cell * FIGURES.length * density);
  canvas.height = Math.ceil(cell * 1.4 * density);
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  context.font = figureFont(MASS_PX);
  const widest = context.measureText('0').width;
  const advances = [...FIGURES].map((figure) => (figure === ',' ? context.measureText(',').width : widest));
  [...FIGURES].forEach((figure, index) => {
    drawOutlined(context, figure, (index + 0.5) * cell, cell * 0.7, 6);
  });
  const atlas = canvasTexture(canvas, density);
  const glyphs = new Map<string, Glyph>(
    [...FIGURES].map((figure, index) => [
      figure,
      {
        texture: new Texture({
          source: atlas.source,
          frame: new Rectangle(index * cell, 0, cell, cell * 1.4),
        }),
        advancePx: advances[index]!,
      },
    ]),
  );
  return {
    glyphs,
    destroy() {
      for (const { texture } of glyphs.values()) texture.destroy();
      atlas.destroy(true);
    },
  };
}
