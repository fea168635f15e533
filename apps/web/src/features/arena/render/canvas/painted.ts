import { type CanvasRenderer, type Container, RenderContainer } from 'pixi.js';

/** Where a layer lies on the canvas, in the canvas' own pixels. */
export type Spot = { readonly x: number; readonly y: number; readonly scale: number };

/** Paints in the canvas' own pixels: `density` of them make a pixel of the screen. */
type Paint = (context: CanvasRenderingContext2D, density: number, spot: Spot) => void;

/**
 * A layer that paints itself on the plain canvas, in software. Anything stretched or placed between two pixels takes
 * about ten times as long as what fits the pixels exactly.
 */
export function createPainted(paint: Paint): Container {
  const layer = new RenderContainer({
    render(renderer) {
      const { canvasContext } = renderer as unknown as CanvasRenderer;
      const context = canvasContext.activeContext as unknown as CanvasRenderingContext2D;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.globalAlpha = 1;
      const density = canvasContext.activeResolution;
      const { tx, ty, a } = layer.groupTransform;
      paint(context, density, { x: tx * density, y: ty * density, scale: a * density });
      context.globalAlpha = 1;
    },
  });
  return layer;
}

/** A picture that covers the whole canvas, repainted only when the canvas or `key` changes. */
export function createScreenPicture(isOpaque: boolean) {
  const canvas = document.createElement('canvas');
  let painted = '';
  return (
    onto: CanvasRenderingContext2D,
    key: string,
    paint: (context: CanvasRenderingContext2D) => void,
  ): void => {
    const { width, height } = onto.canvas;
    const wanted = `${width}x${height} ${key}`;
    if (wanted !== painted) {
      painted = wanted;
      canvas.width = width;
      canvas.height = height;
      paint(canvas.getContext('2d', { alpha: !isOpaque })!);
    }
    onto.drawImage(canvas, 0, 0);
  };
}
