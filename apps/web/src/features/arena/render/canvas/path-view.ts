import { type CanvasRenderer, RenderContainer } from 'pixi.js';
import { withAlpha } from '../../../../art/paint.ts';
import { type FleshShape, type MembraneView, membraneWidthPx } from '../flesh/flesh-shape.ts';
import { glowReachPx, OWN_RING } from '../textures/flesh-textures.ts';
import { glowPicture } from './cell-pictures.ts';
import { measureNormals, measureSides, reachOf, traceOutline, tracePolygon } from './outline.ts';
import { fillFittedPlasma, fillPlasma } from './plasma.ts';

/** Larger cells are traced in curves: corners would be visible. */
const POLYGON_PX = 120;
/** Smaller cells need only every second or fourth point. */
const SMALL_PX = 40;
const TINY_PX = 10;
/** A body that reaches less far than this share of its radius to some side. */
const FLATTENED = 0.8;
const OWN_GAP = withAlpha(OWN_RING.gapColour, 0.48);

/** Cells on the plain canvas. `points` is the number of points in the shapes to draw. */
export function createPathView(points: number): MembraneView {
  let shape: FleshShape | undefined;
  const normals = new Float32Array(points * 2);
  const sides = new Float32Array(4);
  const view = new RenderContainer({ render: (renderer) => paint(renderer as unknown as CanvasRenderer) });
  return {
    view,
    draw(next) {
      shape = next;
    },
  };

  function paint({ canvasContext }: CanvasRenderer): void {
    if (!shape) return;
    const context = canvasContext.activeContext as unknown as CanvasRenderingContext2D;
    const density = canvasContext.activeResolution;
    const alpha = ((view.groupColorAlpha >>> 24) & 255) / 255;
    context.globalAlpha = alpha;
    if (shape.hasGlow) paintGlow(context, shape, density);
    canvasContext.setContextTransform(view.groupTransform);
    context.lineJoin = 'round';
    if (shape.outer) paintAround(context, shape, shape.outer, density);
    else paintBody(context, shape, density, alpha === 1);
    context.globalAlpha = 1;
  }

  function paintGlow(context: CanvasRenderingContext2D, shape: FleshShape, density: number): void {
    const { flesh, isOwn } = shape;
    const radiusPx = shape.radius * shape.pxPerUnit;
    const colour = isOwn ? OWN_RING.colour : flesh.colours[0];
    // Brightest at the membrane, where an own cell has its ring: less than the halo of others would not be seen.
    const reachPx = Math.max(glowReachPx(radiusPx, false), glowReachPx(radiusPx, isOwn));
    const picture = glowPicture(colour, (radiusPx + reachPx) * density);
    const { tx, ty } = view.groupTransform;
    context.setTransform(1, 0, 0, 1, 0, 0);
    measureSides(shape.outline, sides);
    if (Math.min(...sides) < shape.radius * FLATTENED) {
      const reaches = sides.map((side) => (side * shape.pxPerUnit + reachPx) * density);
      drawQuarters(context, picture, tx * density, ty * density, reaches);
      return;
    }
    context.drawImage(
      picture,
      Math.round(tx * density - picture.width / 2),
      Math.round(ty * density - picture.height / 2),
    );
  }

  function paintBody(
    context: CanvasRenderingContext2D,
    shape: FleshShape,
    density: number,
    isSolid: boolean,
  ): void {
    const { outline, radius, flesh, pxPerUnit, isOwn } = shape;
    const radiusPx = radius * pxPerUnit;
    const step = radiusPx < TINY_PX ? 4 : radiusPx < SMALL_PX ? 2 : 1;
    measureNormals(outline, normals, step);
    const width = membraneWidthPx(radiusPx) / 1.05 / pxPerUnit;
    const traceEdge = radiusPx < POLYGON_PX ? tracePolygon : traceOutline;
    const trace = (inset: number) => {
      context.beginPath();
      traceEdge(context, outline, normals, inset, step);
    };
    if (isSolid) {
      // Filled from the outside in, each over the last: filling takes a third of the time of stroking.
      let inset = 0;
      for (let line = flesh.lines.length - 1; line >= 0; line--) {
        const [reach, colour] = flesh.lines[line]!;
        trace(inset);
        context.fillStyle = colour;
        context.fill();
        inset = reach * width;
      }
      trace(inset);
      fillInside(context, shape, density);
    } else {
      trace(0);
      fillInside(context, shape, density);
      for (const [reach, colour] of flesh.lines) {
        trace((reach * width) / 2);
        strokePath(context, reach * width, colour);
      }
    }
    if (!isOwn) return;
    const { gapPx, linePx, colour } = OWN_RING;
    trace(-gapPx / 2 / pxPerUnit);
    strokePath(context, gapPx / pxPerUnit, OWN_GAP);
    trace(-(gapPx + linePx / 2) / pxPerUnit);
    strokePath(context, linePx / pxPerUnit, colour);
  }

  function fillInside(context: CanvasRenderingContext2D, shape: FleshShape, density: number): void {
    const { flesh, radius, outline, pxPerUnit } = shape;
    const radiusPx = radius * pxPerUnit * density;
    const { a, b, tx, ty } = view.groupTransform;
    const isUpright = b === 0;
    if (isUpright) {
      // Moves the plasma to whole pixels; the path stays where it was traced.
      context.setTransform(1, 0, 0, 1, Math.round(tx * density), Math.round(ty * density));
      const isFilled = fillFittedPlasma(context, flesh, radiusPx, reachOf(outline) / radius);
      context.setTransform(a * density, 0, 0, a * density, tx * density, ty * density);
      if (isFilled) return;
    }
    fillPlasma(context, flesh, radius, radiusPx);
  }

  function paintAround(
    context: CanvasRenderingContext2D,
    { outline, radius, flesh, pxPerUnit }: FleshShape,
    outer: Float32Array,
    density: number,
  ): void {
    context.beginPath();
    traceOutline(context, outline, normals, 0, 1);
    traceOutline(context, outer, normals, 0, 1);
    fillPlasma(context, flesh, radius, radius * pxPerUnit * density, 'evenodd');
    const width = membraneWidthPx(radius * pxPerUnit) / 1.05 / pxPerUnit;
    measureNormals(outline, normals, 1);
    for (const [reach, colour] of flesh.lines) {
      context.beginPath();
      traceOutline(context, outline, normals, (-reach * width) / 2, 1);
      strokePath(context, reach * width, colour);
    }
  }
}

/** The light of a body at the shore keeps to it: each quarter is as wide and high as the body is on that side. */
function drawQuarters(
  context: CanvasRenderingContext2D,
  picture: CanvasImageSource & { readonly width: number; readonly height: number },
  x: number,
  y: number,
  [left, top, right, bottom]: Float32Array,
): void {
  const [halfWidth, halfHeight] = [picture.width / 2, picture.height / 2];
  for (const [isRight, isLow] of QUARTERS) {
    const [width, height] = [isRight ? right! : left!, isLow ? bottom! : top!];
    context.drawImage(
      picture,
      isRight ? halfWidth : 0,
      isLow ? halfHeight : 0,
      halfWidth,
      halfHeight,
      isRight ? x : x - width,
      isLow ? y : y - height,
      width,
      height,
    );
  }
}

const QUARTERS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

function strokePath(context: CanvasRenderingContext2D, width: number, colour: string): void {
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}
