import { parseRewardText } from '@engulf/domain/money/reward-text';
import { Container, Sprite } from 'pixi.js';
import { toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { Frame } from '../../model/frame/frame.ts';
import { clockText } from '../../model/frame/portals.ts';
import { pushedFromShore } from '../../model/frame/shown-tide.ts';
import { isOwnCell } from '../../model/playout/bodies.ts';
import { panelScale } from '../panel-scale.ts';
import type { Pass } from '../stage.ts';
import { BONE, displayFont, drawPill, figureFont, type PillPart } from '../textures/lettering.ts';
import { canvasTexture } from '../textures/textures.ts';

const BADGE_PX = 19;
const BADGE_LIFT_PX = 34;
const BADGE_HIGHEST_PX = 136;
const TIMER_PX = 15;
const YOLK = '#FFD93B';
const ON_YOLK = '#1B1503';
const NEUTRAL = '#2D433E';
const PORTAL = '#FF9E45';

/** Floating labels: the own reward with its multiplier, and the time left of each portal. */
export function createPillPass(density: number, rewardUnit: string): Pass {
  const layer = new Container();
  const badge = createPill(density);
  const timers: Pill[] = [];
  layer.addChild(badge.sprite);

  return {
    layer,
    draw(frame) {
      layer.children.forEach((pill) => {
        pill.scale.set(panelScale(frame.camera.widthPx));
      });
      drawBadge(frame);
      frame.portals.forEach((portal, index) => {
        let timer = timers[index];
        if (!timer) {
          timer = createPill(density);
          timers.push(timer);
          layer.addChild(timer.sprite);
        }
        timer.sprite.visible = portal.secondsLeft > 0;
        timer.sprite.alpha = Math.min(1, portal.opacity * 3);
        const text = clockText(portal.secondsLeft);
        timer.show([{ text, colour: PORTAL, font: figureFont(TIMER_PX) }], TIMER_PX);
        const { camera } = frame;
        const lift = portal.radius * 1.42 * camera.scale + 14;
        timer.sprite.position.set(toScreenX(camera, portal.x), toScreenY(camera, portal.y) - lift);
      });
      for (let index = frame.portals.length; index < timers.length; index++) {
        timers[index]!.sprite.visible = false;
      }
    },
    destroy() {
      badge.destroy();
      for (const timer of timers) timer.destroy();
      layer.destroy({ children: true });
    },
  };

  function drawBadge(frame: Frame): void {
    const { own, camera } = frame;
    const reward = own && parseRewardText(own.player.reward);
    badge.sprite.visible = reward?.multiplier !== undefined;
    if (!own || reward?.multiplier === undefined) return;
    badge.show(
      [
        { text: `${reward.amount} ${rewardUnit}`, colour: BONE, font: figureFont(17) },
        // Yolk is for a gain: below the entry fee the bag is still a loss.
        Number(reward.multiplier) >= 1
          ? { text: `x${reward.multiplier}`, colour: ON_YOLK, fill: YOLK, font: displayFont(BADGE_PX) }
          : { text: `x${reward.multiplier}`, colour: BONE, fill: NEUTRAL, font: displayFont(BADGE_PX) },
      ],
      BADGE_PX,
    );
    const x = own.primary.x + pushedFromShore(frame, own.primary).x;
    const top = topAbove(frame, x, badge.sprite.width / 2 / camera.scale);
    // A cell that fills the screen still shows what it carries, below the panels at the top.
    const highest = BADGE_HIGHEST_PX * panelScale(camera.widthPx);
    badge.sprite.position.set(
      toScreenX(camera, x),
      Math.max(highest, toScreenY(camera, top) - BADGE_LIFT_PX),
    );
  }
}

/** The top edge of the own cells under a badge at `x`. No cell is drawn beyond the shore. */
function topAbove({ cells, worldSize, tide }: Frame, x: number, reach: number): number {
  const shore = (worldSize - tide.size) / 2;
  let top = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    if (isOwnCell(cell) && Math.abs(cell.x - x) < cell.radius + reach)
      top = Math.min(top, Math.max(shore, cell.y - cell.radius));
  }
  return top;
}

type Pill = ReturnType<typeof createPill>;

/** Repainted only when its text changes. */
function createPill(density: number) {
  const sprite = new Sprite({ anchor: 0.5 });
  let shown = '';
  return {
    sprite,
    show(parts: readonly PillPart[], px: number) {
      const key = parts.map(({ text }) => text).join('|');
      if (key === shown) return;
      shown = key;
      const before = sprite.texture;
      sprite.texture = canvasTexture(drawPill(parts, px, density), density);
      if (before.source.resource instanceof HTMLCanvasElement) before.destroy(true);
    },
    destroy() {
      if (sprite.texture.source.resource instanceof HTMLCanvasElement) sprite.texture.destroy(true);
    },
  };
}
