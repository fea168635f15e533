import { Mesh, MeshGeometry, Texture } from 'pixi.js';
import { createPathView } from '../canvas/path-view.ts';
import { glowReachPx, OWN_RING_REACH_PX } from '../textures/flesh-textures.ts';
import { type FleshShape, type MembraneView, membraneWidthPx } from './flesh-shape.ts';

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
    const picture = flesh.picture();
    view.texture = picture.texture;
    const widthPx = membraneWidthPx(radius * pxPerUnit);
    const inwards = (outer ? -1 : 1) / pxPerUnit;
    const thickness = widthPx * inwards;
    const hasRing = isOwn && !outer;
    const bareReachPx = hasRing ? OWN_RING_REACH_PX : 1.5;
    const glow = -inwards * (outer || !hasGlow ? bareReachPx : glowReachPx(radius * pxPerUnit, isOwn));
    const profileU = hasRing ? picture.ownProfileU : picture.profileU;
    const glowV = hasRing && !hasGlow ? picture.ownRingV : picture.glowV;
    const scaleU = picture.radiusU / radius;
    const scaleV = picture.radiusV / radius;
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
      place(0, i, hubX, hubY, picture.centreU + hubX * scaleU, picture.centreV + hubY * scaleV);
      const px = x + nx * thickness * 0.5;
      const py = y + ny * thickness * 0.5;
      place(1, i, px, py, picture.centreU + px * scaleU, picture.centreV + py * scaleV);
      place(2, i, x + nx * thickness, y + ny * thickness, profileU, picture.innerV);
      place(3, i, x, y, profileU, picture.outlineV);
      place(4, i, x + nx * glow, y + ny * glow, profileU, glowV);
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
