import { Container, Sprite } from 'pixi.js';
import { toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { ShownEmote } from '../../model/frame/emotes.ts';
import type { Frame } from '../../model/frame/frame.ts';
import { pushedFromShore } from '../../model/frame/shown-tide.ts';
import type { Body } from '../../model/playout/bodies.ts';
import { panelScale } from '../panel-scale.ts';
import type { Pass } from '../stage.ts';
import { displayFont, drawPill } from '../textures/lettering.ts';
import { canvasTexture } from '../textures/textures.ts';

const EMOTE_PX = 22;
const BONE = '#F5F2E7';
const INK = '#0A1211';
/** Above the middle, as a share of the radius: the name is below it. */
const RAISED = 0.72;
const APPEARS_MS = 140;
const FADES_FROM = 0.85;

/** What players say with one key, on the largest of their cells. */
export function createEmotePass(density: number): Pass {
  const layer = new Container();
  const textures = new Map<string, ReturnType<typeof canvasTexture>>();
  const sprites: Sprite[] = [];
  const textureOf = (text: string) => {
    let texture = textures.get(text);
    if (!texture) {
      const part = { text, colour: INK, fill: BONE, font: displayFont(EMOTE_PX) };
      texture = canvasTexture(drawPill([part], EMOTE_PX, density), density);
      textures.set(text, texture);
    }
    return texture;
  };

  return {
    layer,
    draw(frame) {
      let used = 0;
      for (const emote of frame.emotes) {
        const cell = largestOf(frame.cells, emote.name);
        if (!cell) continue;
        let sprite = sprites[used];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          layer.addChild(sprite);
        }
        used++;
        sprite.texture = textureOf(emote.text);
        place(sprite, frame, cell, emote);
      }
      for (let index = used; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      layer.destroy({ children: true });
      for (const texture of textures.values()) texture.destroy(true);
    },
  };
}

function place(sprite: Sprite, frame: Frame, cell: Body, { ageMs, share }: ShownEmote): void {
  const { camera } = frame;
  const pushed = pushedFromShore(frame, cell);
  sprite.visible = true;
  sprite.alpha = share < FADES_FROM ? 1 : (1 - share) / (1 - FADES_FROM);
  sprite.scale.set(panelScale(camera.widthPx) * Math.min(1, 0.6 + (0.4 * ageMs) / APPEARS_MS));
  sprite.position.set(
    toScreenX(camera, cell.x + pushed.x),
    toScreenY(camera, cell.y + pushed.y - cell.radius * RAISED),
  );
}

/** Cells are sorted by size, smallest first. */
function largestOf(cells: readonly Body[], name: string): Body | undefined {
  return cells.findLast(({ player }) => player?.name === name);
}
