import { Container, Sprite } from 'pixi.js';
import { drawVirus, VIRUS_REACH } from '../../../../art/draw-virus.ts';
import type { Body } from '../../model/bodies.ts';
import type { Frame } from '../../model/frame.ts';
import { createRings, createSplitFlashTexture } from '../cell-marks.ts';
import { type CellView, createCellView, type ViewTextures } from '../cell-view.ts';
import type { DrawQuality } from '../quality.ts';
import type { Pass } from '../stage.ts';
import type { CellTextures } from '../textures/cell-textures.ts';
import type { Portraits } from '../textures/portraits.ts';
import { paintTexture } from '../textures/textures.ts';

const VIRUS_RADIUS_PX = 96;
const VIRUS_LOOKS = [2, 4, 7] as const;

/** Cells and viruses in one layer, larger ones on top, so that a small cell hides under a virus. */
export function createBodiesPass(cellTextures: CellTextures, portraits: Portraits): Pass {
  const layer = new Container({ sortableChildren: true });
  const cells = new Map<number, CellView>();
  const viruses = new Map<number, Sprite>();
  const spare: CellView[] = [];
  const half = VIRUS_RADIUS_PX * (VIRUS_REACH + 0.2);
  const virusTextures = VIRUS_LOOKS.map((seed) =>
    paintTexture(2 * half, 2 * half, 1, (context) => drawVirus(context, half, half, VIRUS_RADIUS_PX, seed)),
  );
  const rings = createRings();
  const splitFlash = createSplitFlashTexture();
  const textures: ViewTextures = { cells: cellTextures, portraits, rings, splitFlash };

  return {
    layer,
    draw(frame, quality) {
      cellTextures.beginFrame();
      drawCells(frame, quality);
      drawViruses(frame, quality);
      if (frame.cells.length > 0) cellTextures.endFrame(isTextureShown);
    },
    destroy() {
      layer.destroy({ children: true });
      for (const view of spare) view.container.destroy({ children: true });
      for (const texture of virusTextures) texture.destroy(true);
      rings.destroy();
      splitFlash.destroy(true);
    },
  };

  function drawCells(frame: Frame, quality: DrawQuality): void {
    for (const body of frame.cells) {
      let view = cells.get(body.id);
      if (!view) {
        view = spare.pop() ?? createCellView(textures);
        cells.set(body.id, view);
        layer.addChild(view.container);
      }
      view.draw(body, frame, quality);
    }
    for (const [id, view] of cells) {
      if (view.drawnAtMs === frame.nowMs) continue;
      cells.delete(id);
      layer.removeChild(view.container);
      spare.push(view);
    }
  }

  function drawViruses(frame: Frame, quality: DrawQuality): void {
    const seen = new Set<number>();
    for (const body of frame.viruses) {
      seen.add(body.id);
      let sprite = viruses.get(body.id);
      if (!sprite) {
        sprite = new Sprite({ texture: virusTextures[body.id % virusTextures.length]!, anchor: 0.5 });
        viruses.set(body.id, sprite);
        layer.addChild(sprite);
      }
      placeVirus(sprite, body, frame, quality);
    }
    for (const [id, sprite] of viruses) {
      if (seen.has(id)) continue;
      viruses.delete(id);
      sprite.destroy();
    }
  }

  function isTextureShown(texture: Sprite['texture']): boolean {
    for (const view of cells.values()) if (view.body.texture === texture) return true;
    return false;
  }
}

function placeVirus(sprite: Sprite, body: Body, frame: Frame, quality: DrawQuality): void {
  const breath = quality.hasMotion ? 1 + 0.012 * Math.sin(frame.nowMs / 420 + body.id) : 1;
  sprite.position.set(body.x, body.y);
  sprite.scale.set((body.radius / VIRUS_RADIUS_PX) * breath);
  sprite.zIndex = body.radius;
}
