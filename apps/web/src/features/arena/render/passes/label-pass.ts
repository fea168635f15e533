import { radiusToMass } from '@engulf/sim/size';
import { Container, Sprite, type Texture } from 'pixi.js';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { Frame, ShownPlayer } from '../../model/frame/frame.ts';
import { pushedFromShore } from '../../model/frame/shown-tide.ts';
import type { Body } from '../../model/playout/bodies.ts';
import { isLabelShown, LABELLED_FROM_PX } from '../cell-look.ts';
import type { Pass } from '../stage.ts';
import { createLabelTextures, type LabelTextures } from '../textures/label-textures.ts';

/** Names and masses, in screen pixels so that they stay sharp at every zoom. */
export function createLabelPass(density: number): Pass {
  const layer = new Container();
  const textures = createLabelTextures(density);
  const labels: Label[] = [];

  return {
    layer,
    draw(frame, { look }) {
      const { cells, camera, own } = frame;
      let used = 0;
      for (let index = 0; index < cells.length; index++) {
        const cell = cells[index]!;
        if (!cell.player || !isLabelShown(cell.radius * camera.scale)) continue;
        if (isCovered(cells, index, camera) || isSmallOwnCell(cell, camera, own)) continue;
        let label = labels[used];
        if (!label) {
          label = createLabel(textures);
          labels.push(label);
          layer.addChild(label.container);
        }
        used++;
        label.draw(cell, cell.player.name, frame, look.showMass);
      }
      for (let index = used; index < labels.length; index++) labels[index]!.container.visible = false;
      textures.trim((texture) => labels.some(({ shows }) => shows(texture)));
    },
    destroy() {
      layer.destroy({ children: true });
      textures.destroy();
    },
  };
}

/** Small own cells carry no name: sixteen copies of it would hide the others. */
function isSmallOwnCell(cell: Body, camera: Camera, own: ShownPlayer | undefined): boolean {
  return cell.isOwn && (own?.cellCount ?? 0) > 1 && cell.radius * camera.scale < LABELLED_FROM_PX;
}

/**
 * Whether somebody else is where a cell's name would be. Cells are sorted by size, so only later ones are drawn above a
 * cell; a name outside its cell must not lie on any.
 */
function isCovered(cells: readonly Body[], index: number, camera: Camera): boolean {
  const { x, y, radius } = cells[index]!;
  const isInside = radius * camera.scale >= LABELLED_FROM_PX;
  const below = isInside ? radius * 0.5 : radius + OUTSIDE_PX / camera.scale;
  const reach = isInside ? radius * 0.55 : radius;
  for (let at = isInside ? index + 1 : 0; at < cells.length; at++) {
    if (at === index) continue;
    const other = cells[at]!;
    const dx = Math.max(0, Math.abs(other.x - x) - reach);
    const dy = other.y - y - below;
    if (dx * dx + dy * dy < other.radius * other.radius) return true;
  }
  return false;
}

/** How far below a small cell its name is. */
const OUTSIDE_PX = 13;
/** The widest name, as a share of its cell's radius: it lies below the middle, where the cell is narrower. */
const WIDEST = 1.56;

const NAME_PX = { outside: 14, min: 14, max: 34, share: 0.2 } as const;

type Label = ReturnType<typeof createLabel>;

function createLabel(textures: LabelTextures) {
  const name = new Sprite({ anchor: 0.5 });
  const mass = createMassFigures(textures);
  const container = new Container({ children: [name, mass.container] });
  return {
    container,
    shows: (texture: Texture) => container.visible && name.texture === texture,
    draw(cell: Body, text: string, frame: Frame, showMass: boolean) {
      const { camera } = frame;
      const radiusPx = cell.radius * camera.scale;
      const isInside = radiusPx >= LABELLED_FROM_PX;
      const px = isInside
        ? Math.min(NAME_PX.max, Math.max(NAME_PX.min, radiusPx * NAME_PX.share))
        : NAME_PX.outside;
      const look = textures.name(text, px);
      container.visible = true;
      container.alpha = 1;
      name.texture = look.texture;
      const fit = isInside ? Math.min(1, (WIDEST * radiusPx * look.px) / (look.texture.width * px)) : 1;
      name.scale.set((px / look.px) * fit);
      const below = isInside ? radiusPx * (radiusPx < 90 ? 0.47 : 0.5) : radiusPx + OUTSIDE_PX;
      const pushed = pushedFromShore(frame, cell);
      const left = toScreenX(camera, cell.x + pushed.x);
      // At the lower shore there is no room below.
      const isSquashed = isInside && pushed.y < 0;
      const top = toScreenY(camera, cell.y + pushed.y) + (isSquashed ? below * 0.6 : below);
      container.position.set(left, top);
      mass.container.visible = isInside && showMass;
      if (!mass.container.visible) return;
      mass.set(Math.round(radiusToMass(frame.size, cell.radius)));
      mass.container.scale.set(Math.max(12, px * 0.58) / textures.figurePx);
      mass.container.position.set(0, Math.max(17, px * 1.02));
    },
  };
}

/** Made once: `toLocaleString` looks its locale up each time, and masses change all the time. */
const MASS_FORMAT = new Intl.NumberFormat('en-US');

/** A number made of painted digits. */
function createMassFigures({ figures }: LabelTextures) {
  const container = new Container();
  const sprites: Sprite[] = [];
  let shown = -1;
  return {
    container,
    set(value: number) {
      if (value === shown) return;
      shown = value;
      const glyphs = [...MASS_FORMAT.format(value)].map((figure) => figures.get(figure)!);
      const widthPx = glyphs.reduce((sum, { advancePx }) => sum + advancePx, 0);
      let x = -widthPx / 2;
      glyphs.forEach((glyph, index) => {
        let sprite = sprites[index];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          container.addChild(sprite);
        }
        sprite.visible = true;
        sprite.texture = glyph.texture;
        sprite.position.set(x + glyph.advancePx / 2, 0);
        x += glyph.advancePx;
      });
      for (let index = glyphs.length; index < sprites.length; index++) sprites[index]!.visible = false;
    },
  };
}
