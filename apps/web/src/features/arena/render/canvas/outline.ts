/** The part of a canvas or path that tracing an outline needs. */
type Pen = Pick<CanvasPath, 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'closePath'>;

/** For every `step`th point, the direction into the cell. Points go clockwise on the screen, x and y in turn. */
export function measureNormals(outline: Float32Array, normals: Float32Array, step: number): void {
  const count = outline.length;
  const stride = 2 * step;
  for (let i = 0; i < count; i += stride) {
    const before = i === 0 ? count - stride : i - stride;
    const after = i + stride >= count ? 0 : i + stride;
    const tx = outline[after]! - outline[before]!;
    const ty = outline[after + 1]! - outline[before + 1]!;
    const length = Math.sqrt(tx * tx + ty * ty) || 1;
    normals[i] = -ty / length;
    normals[i + 1] = tx / length;
  }
}

/** Curves through the midpoints between every `step`th point, moved into the cell by `inset`. */
export function traceOutline(
  pen: Pen,
  outline: Float32Array,
  normals: Float32Array,
  inset: number,
  step: number,
): void {
  const count = outline.length;
  const stride = 2 * step;
  const last = count - stride;
  let x = outline[last]! + normals[last]! * inset;
  let y = outline[last + 1]! + normals[last + 1]! * inset;
  let nextX = outline[0]! + normals[0]! * inset;
  let nextY = outline[1]! + normals[1]! * inset;
  pen.moveTo((x + nextX) / 2, (y + nextY) / 2);
  for (let i = 0; i < count; i += stride) {
    x = nextX;
    y = nextY;
    const next = i === last ? 0 : i + stride;
    nextX = outline[next]! + normals[next]! * inset;
    nextY = outline[next + 1]! + normals[next + 1]! * inset;
    pen.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
  }
  pen.closePath();
}

/** Straight lines from every `step`th point to the next, moved into the cell by `inset`: filled faster than curves. */
export function tracePolygon(
  pen: Pen,
  outline: Float32Array,
  normals: Float32Array,
  inset: number,
  step: number,
): void {
  pen.moveTo(outline[0]! + normals[0]! * inset, outline[1]! + normals[1]! * inset);
  for (let i = 2 * step; i < outline.length; i += 2 * step)
    pen.lineTo(outline[i]! + normals[i]! * inset, outline[i + 1]! + normals[i + 1]! * inset);
  pen.closePath();
}

/** How far the outline is from the centre, at most. */
export function reachOf(outline: Float32Array): number {
  let most = 0;
  for (let i = 0; i < outline.length; i += 2)
    most = Math.max(most, outline[i]! * outline[i]! + outline[i + 1]! * outline[i + 1]!);
  return Math.sqrt(most);
}

/** How far an outline reaches to the left, up, to the right and down. */
export function measureSides(outline: Float32Array, sides: Float32Array): void {
  sides.fill(0);
  for (let i = 0; i < outline.length; i += 2) {
    const x = outline[i]!;
    const y = outline[i + 1]!;
    if (-x > sides[0]!) sides[0] = -x;
    if (-y > sides[1]!) sides[1] = -y;
    if (x > sides[2]!) sides[2] = x;
    if (y > sides[3]!) sides[3] = y;
  }
}
