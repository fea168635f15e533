import { Sprite, type Texture } from 'pixi.js';
import type { Frame } from '../model/frame/frame.ts';
import type { Body } from '../model/playout/bodies.ts';
import type { DrawQuality } from './quality.ts';
import type { BodyTexture } from './textures/droplet-textures.ts';
import { paintTexture } from './textures/textures.ts';

const RADII_PX = [36, 64, 110, 190, 320] as const;
const DASH_PX = 10;
const GAP_PX = 9;
const LINE_PX = 3;

/** The dashed ring around an invulnerable cell, painted at several sizes so that the dashes keep theirs. */
export function createRings() {
  const rings: readonly BodyTexture[] = RADII_PX.map((radiusPx) => {
    const half = radiusPx + LINE_PX;
    const dashes = Math.round((2 * Math.PI * radiusPx) / (DASH_PX + GAP_PX));
    const unit = (2 * Math.PI * radiusPx) / dashes;
    const share = DASH_PX / (DASH_PX + GAP_PX);
    const texture = paintTexture(2 * half, 2 * half, 1, (context) => {
      context.setLineDash([unit * share, unit * (1 - share)]);
      context.lineWidth = LINE_PX;
      context.strokeStyle = 'rgba(245,242,231,.9)';
      context.beginPath();
      context.arc(half, half, radiusPx, 0, 2 * Math.PI);
      context.stroke();
    });
    return { texture, radiusPx };
  });
  return {
    pick(radiusPx: number): BodyTexture {
      return rings.find((ring) => ring.radiusPx * 1.2 >= radiusPx) ?? rings.at(-1)!;
    },
    destroy() {
      for (const { texture } of rings) texture.destroy(true);
    },
  };
}

export type Rings = ReturnType<typeof createRings>;

const RADIUS_PX = 96;
const FLASH_MS = 260;
const RIPPLE_MS = 520;
const RED = '255,75,51';
const YOLK = '255,217,59';

/** The red flash around an own cell that has just split off. */
export function createSplitFlashTexture(): Texture {
  return paintHalo(RED, 0.7, 1.4, 0.75);
}

/** A thin yellow ring that runs outwards from it. */
export function createSplitRippleTexture(): Texture {
  return paintHalo(YOLK, 0.9, 1.1, 0.9);
}

function paintHalo(rgb: string, from: number, to: number, alpha: number): Texture {
  const half = RADIUS_PX * to;
  return paintTexture(2 * half, 2 * half, 1, (context) => {
    const ring = context.createRadialGradient(half, half, RADIUS_PX * from, half, half, half);
    ring.addColorStop(0, `rgba(${rgb},0)`);
    ring.addColorStop(0.42, `rgba(${rgb},${alpha})`);
    ring.addColorStop(1, `rgba(${rgb},0)`);
    context.fillStyle = ring;
    context.fillRect(0, 0, 2 * half, 2 * half);
  });
}

type SplitTextures = { readonly splitFlash: Texture; readonly splitRipple: Texture };

/** Marks an own cell that has just split off, as the player's settings want it. */
export function createSplitMarks({ splitFlash, splitRipple }: SplitTextures) {
  const flash = new Sprite({ texture: splitFlash, anchor: 0.5 });
  const wave = new Sprite({ texture: splitRipple, anchor: 0.5 });
  return {
    sprites: [flash, wave],
    draw(cell: Body, frame: Frame, { hasMotion, look }: DrawQuality): void {
      const ageMs = frame.nowMs - cell.shownSinceMs;
      const isPiece = cell.isOwn && (frame.own?.cellCount ?? 0) > 1;
      show(flash, isPiece && look.splitRedFlash, ageMs / FLASH_MS, cell, hasMotion ? 0.25 : 0);
      show(wave, isPiece && look.splitYellowRipple, ageMs / RIPPLE_MS, cell, hasMotion ? 1.1 : 0);
    },
  };
}

function show(sprite: Sprite, isWanted: boolean, share: number, { radius }: Body, growth: number): void {
  sprite.visible = isWanted && share < 1;
  if (!sprite.visible) return;
  sprite.alpha = 1 - share;
  sprite.scale.set((radius / RADIUS_PX) * (1 + growth * share));
}
