import { Sprite, type Texture } from 'pixi.js';
import type { Body } from '../model/bodies.ts';
import type { Frame } from '../model/frame.ts';
import type { BodyTexture } from './textures/cell-textures.ts';
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
const RED = '255,75,51';

/** The red flash around an own cell that has just split off. */
export function createSplitFlashTexture(): Texture {
  const half = RADIUS_PX * 1.4;
  return paintTexture(2 * half, 2 * half, 1, (context) => {
    const ring = context.createRadialGradient(half, half, RADIUS_PX * 0.7, half, half, half);
    ring.addColorStop(0, `rgba(${RED},0)`);
    ring.addColorStop(0.42, `rgba(${RED},.75)`);
    ring.addColorStop(1, `rgba(${RED},0)`);
    context.fillStyle = ring;
    context.fillRect(0, 0, 2 * half, 2 * half);
  });
}

export function createSplitFlash(texture: Texture) {
  const sprite = new Sprite({ texture, anchor: 0.5 });
  return {
    sprite,
    draw(cell: Body, frame: Frame, hasMotion: boolean): void {
      const share = (frame.nowMs - cell.shownSinceMs) / FLASH_MS;
      const isPiece = cell.isOwn && (frame.own?.cellCount ?? 0) > 1;
      sprite.visible = isPiece && share < 1;
      if (!sprite.visible) return;
      sprite.alpha = 1 - share;
      sprite.scale.set((cell.radius / RADIUS_PX) * (hasMotion ? 1 + 0.25 * share : 1));
    },
  };
}
