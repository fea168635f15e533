import { Container, Graphics, type Texture, TilingSprite } from 'pixi.js';
import type { Camera } from '../../model/frame/camera.ts';
import type { Frame } from '../../model/frame/frame.ts';
import type { DrawQuality } from '../quality.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';
import {
  DASH_ALPHA,
  dashColour,
  driftOf,
  type Edges,
  goalOnScreen,
  placeBetween,
  placeDashes,
  placeOutside,
  SHALLOWS,
  SHALLOWS_COLOUR,
  squareOnScreen,
  swellOf,
  TILES,
  type TileName,
} from './water.ts';

const OUTER = '#C7385F';
const INNER = '#FF8FA8';
/** Width and colour, from the outside in. */
export const MEMBRANE = [
  [12, OUTER],
  [4, INNER],
] as const;
export const CORNER_PX = 26;

/** The shore of the arena: a two-tone pink membrane, the water outside, and where that is heading. */
export function createBorderPass(): Pass {
  const layer = new Container();
  const tiles = { water: createTiled('water'), drift: createTiled('drift'), hatch: createTiled('hatch') };
  const lines = new Graphics();
  layer.addChild(tiles.water.layer, tiles.drift.layer, tiles.hatch.layer, lines);

  return {
    layer,
    draw(frame, quality) {
      const shore = squareOnScreen(frame, frame.tide.size);
      const goal = goalOnScreen(frame);
      layer.visible = isShoreInSight(frame.camera, shore) || goal !== undefined;
      if (!layer.visible) return;
      const { isDark, showBorder } = quality.look;
      const origin = squareOnScreen(frame, frame.worldSize);
      for (const name of ['water', 'drift'] as const) {
        const tiled = tiles[name];
        tiled.layer.visible = name === 'water' || quality.hasDetail;
        if (!tiled.layer.visible) continue;
        const drift = driftOf(name, frame.nowMs, quality.hasMotion);
        placeOutside(frame.camera, shore, (index, x, y, width, height) =>
          tiled.put(index, x, y, width, height, origin.left + drift.x, origin.top + drift.y, isDark),
        );
      }
      drawFlood(frame, shore, goal, isDark);
      drawLines(frame, quality, shore, goal, showBorder);
    },
    destroy() {
      layer.destroy({ children: true });
      for (const tiled of Object.values(tiles)) tiled.destroy();
    },
  };

  /** The ground between the shore and where the water will come to. */
  function drawFlood(frame: Frame, shore: Edges, goal: Edges | undefined, isDark: boolean): void {
    const { hatch } = tiles;
    hatch.layer.visible = goal !== undefined && frame.tide.goal < frame.tide.size;
    if (!hatch.layer.visible) return;
    placeBetween(shore, goal!, (index, x, y, width, height) =>
      hatch.put(index, x, y, width, height, shore.left, shore.top, isDark),
    );
  }

  function drawLines(
    { camera, nowMs }: Frame,
    { look, hasMotion }: DrawQuality,
    { left, top, right, bottom }: Edges,
    goal: Edges | undefined,
    showBorder: boolean,
  ): void {
    lines.clear();
    const swell = swellOf(nowMs, hasMotion);
    for (const [reach, alpha] of SHALLOWS) {
      const width = reach * swell;
      lines
        .roundRect(
          left - width / 2,
          top - width / 2,
          right - left + width,
          bottom - top + width,
          CORNER_PX + width / 2,
        )
        .stroke({ width, color: SHALLOWS_COLOUR, alpha, alignment: 0.5 });
    }
    if (goal) {
      let hasDashes = false;
      placeDashes(camera, goal, (x, y, width, height) => {
        lines.rect(x, y, width, height);
        hasDashes = true;
      });
      // Without any in sight, the path before would be filled.
      if (hasDashes) lines.fill({ color: dashColour(look.isDark), alpha: DASH_ALPHA });
    }
    if (!showBorder) return;
    for (const [width, color] of MEMBRANE) {
      lines
        .roundRect(left, top, right - left, bottom - top, CORNER_PX)
        .stroke({ width, color, alignment: 0.5 });
    }
  }
}

/** Four rectangles of one tile, in either theme. */
function createTiled(name: TileName) {
  const { sidePx, paint } = TILES[name];
  const texture = (isDark: boolean): Texture =>
    paintTexture(sidePx, sidePx, 1, (context) => paint(context, isDark));
  const textures = { dark: texture(true), light: texture(false) };
  const sprites = Array.from({ length: 4 }, () => new TilingSprite({ texture: textures.dark }));
  const layer = new Container({ children: sprites });
  return {
    layer,
    /** The pattern begins at (fromX, fromY). */
    put(
      index: number,
      x: number,
      y: number,
      width: number,
      height: number,
      fromX: number,
      fromY: number,
      isDark: boolean,
    ): void {
      const sprite = sprites[index]!;
      sprite.visible = width > 0 && height > 0;
      if (!sprite.visible) return;
      sprite.texture = isDark ? textures.dark : textures.light;
      sprite.position.set(x, y);
      sprite.width = width;
      sprite.height = height;
      sprite.tilePosition.set((fromX - x) % sidePx, (fromY - y) % sidePx);
    },
    destroy(): void {
      textures.dark.destroy(true);
      textures.light.destroy(true);
    },
  };
}

export function isShoreInSight({ widthPx, heightPx }: Camera, { left, top, right, bottom }: Edges): boolean {
  const reach = SHALLOWS[0][0];
  return left > -reach || top > -reach || right < widthPx + reach || bottom < heightPx + reach;
}
