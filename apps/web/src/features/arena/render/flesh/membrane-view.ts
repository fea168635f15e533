import { type CanvasRenderer, type Container, Mesh, MeshGeometry, RenderContainer, Texture } from 'pixi.js';
import { membraneLines } from '../../../../art/draw-cell.ts';
import { borderThickness } from '../../../../art/membrane.ts';
import { type Flesh, glowReachPx, OWN_RING } from '../textures/flesh-textures.ts';

/** A piece of a cell with a membrane along one edge. Points are x and y in turn, in world units from the centre. */
type FleshShape = {
  readonly flesh: Flesh;
  /** Of the whole cell: it decides the size of the plasma and the thickness of the membrane. */
  readonly radius: number;
  /** The edge with the membrane. */
  readonly outline: Float32Array;
  /** The other edge. Without one, the outline goes round the whole cell. */
  readonly outer?: Float32Array | undefined;
  readonly pxPerUnit: number;
  readonly isOwn: boolean;
  readonly hasGlow: boolean;
};

export type MembraneView = {
  readonly view: Container;
  draw(shape: FleshShape): void;
};

export type RendererKind = 'webgl' | 'canvas';

/** `points` is the number of points in the shapes to draw. */
export function createMembraneView(kind: RendererKind, points: number): MembraneView {
  return kind === 'webgl' ? createMeshView(points) : createPathView(points);
}

/** Rings of vertices, from the middle out: hub, edge of the plasma, membrane from inside to outline, end of the glow. */
const RINGS = 5;
const STRIPS = [
  [3, 4],
  [0, 1],
  [2, 3],
] as const;

/** Joins the batch of the sprites around it, so that all cells take a few draw calls together. */
function createMeshView(points: number): MembraneView {
  const positions = new Float32Array(points * RINGS * 2);
  const uvs = new Float32Array(points * RINGS * 2);
  const geometry = new MeshGeometry({ positions, uvs, indices: stripIndices(points) });
  geometry.batchMode = 'batch';
  const view = new Mesh({ geometry, texture: Texture.WHITE });
  return { view, draw };

  function draw({ flesh, radius, outline, outer, pxPerUnit, isOwn, hasGlow }: FleshShape): void {
    view.texture = flesh.texture;
    const widthPx = membraneWidthPx(radius * pxPerUnit);
    const inwards = (outer ? -1 : 1) / pxPerUnit;
    const thickness = widthPx * inwards;
    const glow = outer || !hasGlow ? 1.5 * -inwards : -glowReachPx(radius * pxPerUnit, isOwn) * inwards;
    const profileU = isOwn && !outer ? flesh.ownProfileU : flesh.profileU;
    const scaleU = flesh.radiusU / radius;
    const scaleV = flesh.radiusV / radius;
    const count = points * 2;
    for (let i = 0; i < count; i += 2) {
      const x = outline[i]!;
      const y = outline[i + 1]!;
      const before = i === 0 ? count - 2 : i - 2;
      const after = i + 2 === count ? 0 : i + 2;
      const tx = outline[after]! - outline[before]!;
      const ty = outline[after + 1]! - outline[before + 1]!;
      const length = Math.sqrt(tx * tx + ty * ty) || 1;
      // Points go clockwise on the screen, so this normal points into the cell.
      const nx = -ty / length;
      const ny = tx / length;
      const hubX = outer ? outer[i]! : 0;
      const hubY = outer ? outer[i + 1]! : 0;
      place(0, i, hubX, hubY, flesh.centreU + hubX * scaleU, flesh.centreV + hubY * scaleV);
      const px = x + nx * thickness * 0.5;
      const py = y + ny * thickness * 0.5;
      place(1, i, px, py, flesh.centreU + px * scaleU, flesh.centreV + py * scaleV);
      place(2, i, x + nx * thickness, y + ny * thickness, profileU, flesh.innerV);
      place(3, i, x, y, profileU, flesh.outlineV);
      place(4, i, x + nx * glow, y + ny * glow, profileU, flesh.glowV);
    }
    geometry.getBuffer('aPosition').update();
  }

  function place(ring: number, i: number, x: number, y: number, u: number, v: number): void {
    const at = ring * points * 2 + i;
    positions[at] = x;
    positions[at + 1] = y;
    uvs[at] = u;
    uvs[at + 1] = v;
  }
}

function stripIndices(points: number): Uint32Array {
  const indices: number[] = [];
  for (const [inner, outer] of STRIPS) {
    for (let i = 0; i < points; i++) {
      const next = (i + 1) % points;
      const [a, b, c, d] = [
        inner * points + i,
        inner * points + next,
        outer * points + i,
        outer * points + next,
      ];
      indices.push(a, c, b, b, c, d);
    }
  }
  return Uint32Array.from(indices);
}

/** For browsers without WebGL: the plain canvas draws the outline itself. */
function createPathView(points: number): MembraneView {
  let shape: FleshShape | undefined;
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
    canvasContext.setContextTransform(view.groupTransform);
    context.globalAlpha = ((view.groupColorAlpha >>> 24) & 255) / 255;
    context.lineJoin = 'round';
    if (shape.outer) paintAround(context, shape, shape.outer);
    else paintBody(context, shape);
    context.globalAlpha = 1;
  }

  function paintBody(
    context: CanvasRenderingContext2D,
    { outline, radius, flesh, pxPerUnit, isOwn, hasGlow }: FleshShape,
  ) {
    const path = smoothPath(outline, points, radius * pxPerUnit < SMALL_PX ? 2 : 1);
    const unit = 1 / pxPerUnit;
    if (hasGlow) paintGlow(context, flesh, radius, glowReachPx(radius * pxPerUnit, false) * unit);
    context.fillStyle = plasmaPattern(context, flesh, radius);
    context.fill(path);
    const width = (membraneWidthPx(radius * pxPerUnit) / 1.05) * unit;
    for (const [reach, colour] of membraneLines(flesh.colours)) {
      strokeAt(context, path, 1 - (reach * width) / 2 / radius, reach * width, colour);
    }
    if (!isOwn) return;
    const { gapPx, linePx, colour } = OWN_RING;
    strokeAt(context, path, 1 + ((gapPx + linePx / 2) * unit) / radius, linePx * unit, colour);
  }

  function paintAround(
    context: CanvasRenderingContext2D,
    { outline, radius, flesh, pxPerUnit }: FleshShape,
    outer: Float32Array,
  ) {
    const opening = smoothPath(outline, points, 1);
    const area = new Path2D(opening);
    area.addPath(smoothPath(outer, points, 1));
    context.fillStyle = plasmaPattern(context, flesh, radius);
    context.fill(area, 'evenodd');
    const width = membraneWidthPx(radius * pxPerUnit) / pxPerUnit;
    for (const [reach, colour] of membraneLines(flesh.colours))
      strokeAt(context, opening, 1, reach * 1.5 * width, colour);
  }
}

/** Smaller cells get by with every second point. */
const SMALL_PX = 70;

function membraneWidthPx(radiusPx: number): number {
  // Thinner than the rule's minimum where the whole cell is smaller than that.
  return Math.min(borderThickness(radiusPx) * 1.05, radiusPx * 0.3);
}

function strokeAt(
  context: CanvasRenderingContext2D,
  path: Path2D,
  scale: number,
  width: number,
  colour: string,
): void {
  context.save();
  context.scale(scale, scale);
  context.lineWidth = width / scale;
  context.strokeStyle = colour;
  context.stroke(path);
  context.restore();
}

/** Curves through the middles between the points. */
function smoothPath(xy: Float32Array, points: number, step: number): Path2D {
  const path = new Path2D();
  const stride = 2 * step;
  const count = points * 2;
  path.moveTo((xy[count - stride]! + xy[0]!) / 2, (xy[count - stride + 1]! + xy[1]!) / 2);
  for (let i = 0; i < count; i += stride) {
    const next = (i + stride) % count;
    path.quadraticCurveTo(xy[i]!, xy[i + 1]!, (xy[i]! + xy[next]!) / 2, (xy[i + 1]! + xy[next + 1]!) / 2);
  }
  path.closePath();
  return path;
}

const patterns = new WeakMap<Flesh, CanvasPattern>();
const glows = new WeakMap<Flesh, HTMLCanvasElement>();

function plasmaPattern(context: CanvasRenderingContext2D, flesh: Flesh, radius: number): CanvasPattern {
  let pattern = patterns.get(flesh);
  if (!pattern) {
    pattern = context.createPattern(flesh.canvas, 'no-repeat')!;
    patterns.set(flesh, pattern);
  }
  const scale = radius / flesh.radiusPx;
  pattern.setTransform({ a: scale, d: scale, e: -flesh.centrePx * scale, f: -flesh.centrePx * scale });
  return pattern;
}

const GLOW_PX = 96;

function paintGlow(context: CanvasRenderingContext2D, flesh: Flesh, radius: number, reach: number): void {
  let glow = glows.get(flesh);
  if (!glow) {
    glow = document.createElement('canvas');
    glow.width = 2 * GLOW_PX;
    glow.height = 2 * GLOW_PX;
    const painter = glow.getContext('2d')!;
    const light = painter.createRadialGradient(GLOW_PX, GLOW_PX, GLOW_PX * 0.7, GLOW_PX, GLOW_PX, GLOW_PX);
    light.addColorStop(0, `${flesh.colours[0]}66`);
    light.addColorStop(1, `${flesh.colours[0]}00`);
    painter.fillStyle = light;
    painter.fillRect(0, 0, 2 * GLOW_PX, 2 * GLOW_PX);
    glows.set(flesh, glow);
  }
  const half = radius + reach;
  context.drawImage(glow, -half, -half, 2 * half, 2 * half);
}
