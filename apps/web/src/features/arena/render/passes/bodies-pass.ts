import { Container, Sprite } from 'pixi.js';
import { drawVirus, VIRUS_REACH } from '../../../../art/draw-virus.ts';
import type { Frame } from '../../model/frame/frame.ts';
import { type Body, isEaten } from '../../model/playout/bodies.ts';
import { createRings, createSplitFlashTexture, createSplitRippleTexture } from '../cell-marks.ts';
import { type CellView, createCellView, type ViewTextures } from '../cell-view.ts';
import type { Effects } from '../effects.ts';
import type { RendererKind } from '../flesh/membrane-view.ts';
import { resetCellState, shapeCells } from '../flesh/shape-cells.ts';
import type { DrawQuality } from '../quality.ts';
import type { Pass } from '../stage.ts';
import { createSwallowViews } from '../swallow-views.ts';
import { startSwallow } from '../swallows.ts';
import type { FleshTextures } from '../textures/flesh-textures.ts';
import type { Portraits } from '../textures/portraits.ts';
import { paintTexture } from '../textures/textures.ts';
import { virusDepthOf } from '../virus-depth.ts';

const VIRUS_RADIUS_PX = 96;
const VIRUS_LOOKS = [2, 4, 7] as const;

/**
 * Cells and viruses in one layer, larger cells on top, and a small one hides under a virus. Prey lies above the cell that
 * swallows it.
 */
export function createBodiesPass(
  kind: RendererKind,
  flesh: FleshTextures,
  portraits: Portraits,
  effects: Effects,
  virusDepthMass: number,
): Pass {
  const layer = new Container({ sortableChildren: true });
  const cells = new Map<number, CellView>();
  const viruses = new Map<number, { sprite: Sprite; body: Body }>();
  const spare: CellView[] = [];
  const half = VIRUS_RADIUS_PX * (VIRUS_REACH + 0.2);
  const virusTextures = VIRUS_LOOKS.map((seed) =>
    paintTexture(2 * half, 2 * half, 1, (context) => drawVirus(context, half, half, VIRUS_RADIUS_PX, seed)),
  );
  const rings = createRings();
  const splitFlash = createSplitFlashTexture();
  const splitRipple = createSplitRippleTexture();
  const textures: ViewTextures = { kind, flesh, portraits, rings, splitFlash, splitRipple };
  const swallows = createSwallowViews(kind, layer, flesh, effects, (cell) => cells.get(cell.id));

  return {
    layer,
    draw(frame, quality) {
      for (const body of frame.cells) viewOf(body);
      removeGone(frame, quality);
      swallows.noteGulps(frame);
      if (quality.hasMotion) shapeCells(frame, stateOf, swallows.morsels(frame));
      for (const body of frame.cells) viewOf(body).draw(body, frame, quality);
      for (const view of swallows.draw(frame, quality)) recycle(view);
      drawViruses(frame, quality);
    },
    destroy() {
      swallows.destroy();
      layer.destroy({ children: true });
      for (const view of spare) view.container.destroy({ children: true });
      for (const texture of [...virusTextures, splitFlash, splitRipple]) texture.destroy(true);
      rings.destroy();
    },
  };

  function viewOf(body: Body): CellView {
    let view = cells.get(body.id);
    if (!view) {
      view = spare.pop() ?? createCellView(textures);
      resetCellState(view.state);
      cells.set(body.id, view);
      layer.addChild(view.container);
    }
    view.cell = body;
    return view;
  }

  function stateOf(body: Body) {
    return viewOf(body).state;
  }

  function removeGone(frame: Frame, quality: DrawQuality): void {
    const present = new Set(frame.cells.map(({ id }) => id));
    for (const [id, view] of cells) {
      if (present.has(id)) continue;
      cells.delete(id);
      const swallow = view.cell && startSwallow(view.cell, frame, quality.hasMotion);
      if (swallow && (!swallow.eater || cells.has(swallow.eater.id))) swallows.add(swallow, view);
      else recycle(view);
    }
  }

  function recycle(view: CellView): void {
    layer.removeChild(view.container);
    spare.push(view);
  }

  function drawViruses(frame: Frame, quality: DrawQuality): void {
    const seen = new Set<number>();
    const virusDepth = virusDepthOf(frame.size, virusDepthMass);
    for (const body of frame.viruses) {
      seen.add(body.id);
      let virus = viruses.get(body.id);
      if (!virus) {
        const texture = virusTextures[body.id % virusTextures.length]!;
        virus = { sprite: new Sprite({ texture, anchor: 0.5 }), body };
        viruses.set(body.id, virus);
        layer.addChild(virus.sprite);
      }
      placeVirus(virus.sprite, body, frame, quality);
      virus.sprite.zIndex = virusDepth;
    }
    for (const [id, { sprite, body }] of viruses) {
      if (seen.has(id)) continue;
      viruses.delete(id);
      sprite.destroy();
      if (isEaten(body)) swallows.burstVirus(body, frame);
    }
  }
}

function placeVirus(sprite: Sprite, body: Body, frame: Frame, quality: DrawQuality): void {
  const breath = quality.hasMotion ? 1 + 0.012 * Math.sin(frame.nowMs / 420 + body.id) : 1;
  sprite.position.set(body.x, body.y);
  sprite.scale.set((body.radius / VIRUS_RADIUS_PX) * breath);
}
