import { Container, Sprite, type Texture } from 'pixi.js';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { ShownPlayer } from '../../model/frame/frame.ts';
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
    draw({ cells, camera, own }, { look }) {
      let used = 0;
      for (let index = 0; index < cells.length; index++) {
        const cell = cells[index]!;
        if (!cell.player || !isLabelShown(cell.radius * camera.scale)) continue;
        if (isCovered(cells, index) || isSmallOwnCell(cell, camera, own)) continue;
        let label = labels[used];
        if (!label) {
          label = createLabel(textures);
          labels.push(label);
          layer.addChild(label.container);
        }
        used++;
        label.draw(cell, cell.player.name, camera, look.showMass);
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

/** Cells are sorted by size, so only later ones are drawn above a cell. */
function isCovered(cells: readonly Body[], index: number): boolean {
  const { x, y, radius } = cells[index]!;
  for (let above = index + 1; above < cells.length; above++) {
    const other = cells[above]!;
    const dx = other.x - x;
    const dy = other.y - y - radius * 0.3;
    if (dx * dx + dy * dy < other.radius * other.radius) return true;
  }
  return false;
}

const NAME_PX = { outside: 14, min: 14, max: 34, share: 0.2 } as const;

type Label = ReturnType<typeof createLabel>;

function createLabel(textures: LabelTextures) {
  const name = new Sprite({ anchor: 0.5 });
  const mass = createMassFigures(textures);
  const container = new Container({ children: [name, mass.container] });
  return {
    container,
    shows: (texture: Texture) => container.visible && name.texture === texture,
    draw(cell: Body, text: string, camera: Camera, showMass: boolean) {
      const radiusPx = cell.radius * camera.scale;
      const isInside = radiusPx >= LABELLED_FROM_PX;
      const px = isInside
        ? Math.min(NAME_PX.max, Math.max(NAME_PX.min, radiusPx * NAME_PX.share))
        : NAME_PX.outside;
      const look = textures.name(text, px);
      container.visible = true;
      container.alpha = 1;
      name.texture = look.texture;
      name.scale.set(px / look.px);
      const below = isInside ? radiusPx * (radiusPx < 90 ? 0.47 : 0.5) : radiusPx + 13;
      container.position.set(toScreenX(camera, cell.x), toScreenY(camera, cell.y) + below);
      mass.container.visible = isInside && showMass;
      if (!mass.container.visible) return;
      mass.set(Math.round((cell.radius / 10) ** 2));
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
