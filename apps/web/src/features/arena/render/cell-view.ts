import { Container, Sprite, type Texture } from 'pixi.js';
import { type Frame, invulnerableForS } from '../model/frame/frame.ts';
import { bulge } from '../model/frame/gulps.ts';
import { pushedFromShore } from '../model/frame/shown-tide.ts';
import type { Body } from '../model/playout/bodies.ts';
import { INVULNERABLE_LOOK, isBlinking, NUCLEUS_FROM_PX, nucleusPlace } from './cell-look.ts';
import { createSplitMarks, type Rings } from './cell-marks.ts';
import { createMembraneView, type RendererKind } from './flesh/membrane-view.ts';
import { createCellState } from './flesh/shape-cells.ts';
import { RING_COS, RING_POINTS, RING_SIN } from './flesh/soft-body.ts';
import type { DrawQuality } from './quality.ts';
import type { FleshTextures } from './textures/flesh-textures.ts';
import { PORTRAIT_REACH, type Portraits } from './textures/portraits.ts';

export type ViewTextures = {
  readonly kind: RendererKind;
  readonly flesh: FleshTextures;
  readonly portraits: Portraits;
  readonly rings: Rings;
  readonly splitFlash: Texture;
  readonly splitRipple: Texture;
};

export type CellView = ReturnType<typeof createCellView>;

const POP_MS = 260;
const BLINK_PERIOD_MS = 420;
const RING_GAP_PX = 10;
const PORTRAIT_ALPHA = 0.82;

/** One cell: body, nucleus and, while invulnerable, a ring. Reused for another cell when this one is gone. */
export function createCellView(textures: ViewTextures) {
  const state = createCellState();
  const outline = new Float32Array(RING_POINTS * 2);
  const membrane = createMembraneView(textures.kind, RING_POINTS);
  const nucleus = new Sprite({ anchor: 0.5 });
  const ring = new Sprite({ anchor: 0.5 });
  const marks = createSplitMarks(textures);
  const container = new Container({ children: [...marks.sprites, membrane.view, nucleus, ring] });
  const view = {
    container,
    state,
    /** The cell as drawn last. */
    cell: undefined as Body | undefined,
    draw,
  };
  return view;

  function draw(cell: Body, frame: Frame, quality: DrawQuality): void {
    const { scale } = frame.camera;
    const radiusPx = cell.radius * scale;
    view.cell = cell;
    const { offset } = state.body;
    const size = quality.hasMotion ? pop(cell, frame.nowMs) : 1;
    for (let i = 0; i < RING_POINTS; i++) {
      const reach = cell.radius * (quality.hasMotion ? size + offset[i]! : 1);
      outline[2 * i] = reach * RING_COS[i]!;
      outline[2 * i + 1] = reach * RING_SIN[i]!;
    }
    membrane.draw({
      flesh: textures.flesh.of(cell.colour),
      radius: cell.radius,
      outline,
      pxPerUnit: scale,
      isOwn: cell.isOwn,
      hasGlow: quality.hasDetail,
    });
    drawNucleus(cell, frame, radiusPx, quality.hasMotion ? size * bulge(cell, frame.nowMs) ** 2 : 1);
    drawProtection(cell, frame, radiusPx);
    marks.draw(cell, frame, quality);
    container.position.set(cell.x, cell.y);
    // The heavier lies above, so that one sees who is who.
    container.zIndex = cell.radius;
    container.rotation = 0;
    container.visible = true;
  }

  function drawNucleus(cell: Body, frame: Frame, radiusPx: number, size: number): void {
    const portrait = cell.player && textures.portraits.of(cell.player, cell.colour);
    nucleus.visible = portrait !== undefined && radiusPx > NUCLEUS_FROM_PX;
    if (!portrait || !nucleus.visible) return;
    const { share, rise } = nucleusPlace(radiusPx);
    // The nucleus lags a little behind when the cell is launched.
    const sway = cell.radius * 0.02;
    const pushed = pushedFromShore(frame, cell);
    nucleus.texture = portrait;
    nucleus.setSize(cell.radius * share * PORTRAIT_REACH * 2 * size);
    nucleus.position.set(
      pushed.x - clampTo(state.velocityX * sway, cell.radius * 0.14),
      pushed.y - cell.radius * rise - clampTo(state.velocityY * sway, cell.radius * 0.14),
    );
  }

  function drawProtection(cell: Body, frame: Frame, radiusPx: number): void {
    const protectedForS = cell.player ? invulnerableForS(frame, cell.player) : 0;
    ring.visible = protectedForS > 0;
    ring.alpha = 1;
    container.alpha = 1;
    membrane.view.alpha = 1;
    nucleus.alpha = 1;
    if (!ring.visible) return;
    // Portraits stay legible, because players recognise each other by them. Own cells fade less, to stay easy to find.
    membrane.view.alpha = cell.isOwn ? INVULNERABLE_LOOK.ownAlpha : INVULNERABLE_LOOK.alpha;
    nucleus.alpha = cell.isOwn ? 1 : PORTRAIT_ALPHA;
    const ringRadiusPx = radiusPx + RING_GAP_PX;
    const look = textures.rings.pick(ringRadiusPx);
    ring.texture = look.texture;
    ring.scale.set((ringRadiusPx / radiusPx / look.radiusPx) * cell.radius);
    ring.rotation = frame.nowMs / 4000;
    if (!isBlinking(protectedForS)) return;
    const wave = 0.5 + 0.5 * Math.cos((frame.nowMs / BLINK_PERIOD_MS) * 2 * Math.PI);
    ring.alpha = wave;
    if (cell.isOwn)
      membrane.view.alpha = INVULNERABLE_LOOK.ownAlpha + (1 - INVULNERABLE_LOOK.ownAlpha) * wave;
    else container.alpha = 0.35 + 0.65 * wave;
  }
}

function clampTo(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

/** Grows in with a slight overshoot. */
function pop(cell: Body, nowMs: number): number {
  const share = (nowMs - cell.shownSinceMs) / POP_MS;
  if (share >= 1) return 1;
  const back = share - 1;
  return 0.6 + 0.4 * (1 + 2.70158 * back ** 3 + 1.70158 * back ** 2);
}
