import { Container, Sprite, type Texture } from 'pixi.js';
import type { Body } from '../model/bodies.ts';
import { type Frame, invulnerableForS, shownColour } from '../model/frame.ts';
import { bulge } from '../model/gulps.ts';
import { INVULNERABLE_LOOK, isBlinking, NUCLEUS_FROM_PX, nucleusPlace } from './cell-look.ts';
import { createSplitFlash, type Rings } from './cell-marks.ts';
import type { DrawQuality } from './quality.ts';
import type { CellTextures } from './textures/cell-textures.ts';
import { PORTRAIT_REACH, type Portraits } from './textures/portraits.ts';

export type ViewTextures = {
  readonly cells: CellTextures;
  readonly portraits: Portraits;
  readonly rings: Rings;
  readonly splitFlash: Texture;
};

export type CellView = {
  readonly container: Container;
  readonly body: Sprite;
  /** The time of the frame that drew it last. */
  drawnAtMs: number;
  draw(body: Body, frame: Frame, quality: DrawQuality): void;
};

const WOBBLE = 0.012;
const WOBBLE_PERIOD_MS = 2_400;
const POP_MS = 260;
const BLINK_PERIOD_MS = 420;
const RING_GAP_PX = 10;
const PORTRAIT_ALPHA = 0.82;

/** One cell: body, nucleus and, while invulnerable, a ring. Reused for another cell when this one is gone. */
export function createCellView(textures: ViewTextures): CellView {
  const body = new Sprite({ anchor: 0.5 });
  const nucleus = new Sprite({ anchor: 0.5 });
  const ring = new Sprite({ anchor: 0.5 });
  const flash = createSplitFlash(textures.splitFlash);
  const container = new Container({ children: [flash.sprite, body, nucleus, ring] });
  const view: CellView = { container, body, drawnAtMs: 0, draw };
  return view;

  function draw(cell: Body, frame: Frame, quality: DrawQuality): void {
    const { scale } = frame.camera;
    const colour = shownColour(cell.colour, cell.isOwn, frame.own?.player.colour);
    const radiusPx = cell.radius * scale;
    view.drawnAtMs = frame.nowMs;

    const look = textures.cells.pick(colour, radiusPx, quality.hasDetail);
    body.texture = look.texture;
    body.scale.set(cell.radius / look.radiusPx);
    drawNucleus(cell, radiusPx, colour);
    drawProtection(cell, frame, radiusPx);
    flash.draw(cell, frame, quality.hasMotion);

    container.position.set(cell.x, cell.y);
    container.zIndex = cell.radius;
    const size = quality.hasMotion ? bulge(cell, frame.nowMs) * pop(cell, frame.nowMs) : 1;
    const sway = quality.hasMotion ? swayOf(cell, frame.nowMs) : 0;
    container.scale.set(size * (1 + sway), size * (1 - sway));
  }

  function drawNucleus(cell: Body, radiusPx: number, colour: number): void {
    const portrait = cell.player && textures.portraits.of(cell.player.name, colour);
    nucleus.visible = portrait !== undefined && radiusPx > NUCLEUS_FROM_PX;
    if (!portrait || !nucleus.visible) return;
    const { share, rise } = nucleusPlace(radiusPx);
    nucleus.texture = portrait;
    nucleus.setSize(cell.radius * share * PORTRAIT_REACH * 2);
    nucleus.position.set(0, -cell.radius * rise);
  }

  function drawProtection(cell: Body, frame: Frame, radiusPx: number): void {
    const protectedForS = cell.player ? invulnerableForS(frame, cell.player) : 0;
    ring.visible = protectedForS > 0;
    container.alpha = 1;
    body.alpha = 1;
    nucleus.alpha = 1;
    if (!ring.visible) return;
    // The portrait stays legible, because players recognise each other by it.
    body.alpha = INVULNERABLE_LOOK.alpha;
    nucleus.alpha = PORTRAIT_ALPHA;
    const ringRadiusPx = radiusPx + RING_GAP_PX;
    const look = textures.rings.pick(ringRadiusPx);
    ring.texture = look.texture;
    ring.scale.set((ringRadiusPx / radiusPx / look.radiusPx) * cell.radius);
    ring.rotation = frame.nowMs / 4000;
    if (!isBlinking(protectedForS)) return;
    const wave = 0.5 + 0.5 * Math.cos((frame.nowMs / BLINK_PERIOD_MS) * 2 * Math.PI);
    container.alpha = 0.35 + 0.65 * wave;
  }
}

function swayOf(cell: Body, nowMs: number): number {
  return WOBBLE * Math.sin((nowMs / WOBBLE_PERIOD_MS) * 2 * Math.PI + cell.id * 1.7);
}

/** Grows in with a slight overshoot. */
function pop(cell: Body, nowMs: number): number {
  const share = (nowMs - cell.shownSinceMs) / POP_MS;
  if (share >= 1) return 1;
  const back = share - 1;
  return 0.6 + 0.4 * (1 + 2.70158 * back ** 3 + 1.70158 * back ** 2);
}
