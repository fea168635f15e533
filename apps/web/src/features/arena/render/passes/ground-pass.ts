import { Container, Sprite, type Texture } from 'pixi.js';
import { INK, mix, WHITE } from '../../../../art/paint.ts';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import { WORLD } from '../../model/frame/map-grid.ts';
import type { Look } from '../look.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

/** Light in the middle and dark edges, and the lines on it. */
const THEMES = {
  dark: { lit: '#1D342E', base: '#0A1412', edge: '#050908', line: '#D6E8DE', lineAlpha: 1 },
  light: { lit: '#F6F1E3', base: '#E3DCC8', edge: '#CFC6AD', line: '#15201D', lineAlpha: 1.5 },
} as const;
const LINE_ALPHA = 0.055;
const SECTOR_LINE_ALPHA = 0.16;
const SECTORS_PER_SIDE = 5;
/** A narrower grid would blur, so fewer lines are drawn from far away. */
const MIN_STEP_PX = 24;
const FAR_STEPS = [1, 7, 14] as const;

/** The floor: light in the middle, dark edges, and the grid that makes movement visible. */
export function createGroundPass(): Pass {
  const layer = new Container();
  const light = new Sprite();
  const lines = createLines();
  let painted = '';
  layer.addChild(light, lines.layer);

  return {
    layer,
    draw({ camera, worldSize }, { look }) {
      repaint(look);
      light.width = camera.widthPx;
      light.height = camera.heightPx;
      lines.begin();
      placeLines(camera, worldSize, look, lines.put);
      lines.end();
    },
    destroy() {
      const { texture } = light;
      layer.destroy({ children: true });
      texture.destroy(true);
      lines.destroy();
    },
  };

  function repaint(look: Look): void {
    const key = `${lightKey(look)}${look.lineColor}`;
    if (key === painted) return;
    const before = light.texture;
    light.texture = paintTexture(960, 540, 1, (context) => paintLight(context, look));
    lines.paint(lineColour(look));
    if (painted !== '') before.destroy(true);
    painted = key;
  }
}

/** Equal for looks whose ground is equal. */
export function lightKey({ isDark, backgroundColor }: Look): string {
  return `${isDark}${backgroundColor}`;
}

export function lineColour(look: Look): string {
  return look.lineColor ?? themeOf(look).line;
}

function themeOf({ isDark }: Look) {
  return isDark ? THEMES.dark : THEMES.light;
}

function farStep({ scale }: Camera): number {
  return FAR_STEPS.find((steps) => WORLD.gridStep * steps * scale >= MIN_STEP_PX) ?? FAR_STEPS[2];
}

/** Fills the whole canvas of the context. */
export function paintLight(context: CanvasRenderingContext2D, look: Look): void {
  const own = look.backgroundColor;
  const theme = themeOf(look);
  const { lit, base, edge } =
    own === undefined ? theme : { lit: mix(own, WHITE, 0.1), base: own, edge: mix(own, INK, 0.4) };
  const { width, height } = context.canvas;
  const [x, y] = [width * 0.5, height * 0.52];
  const light = context.createRadialGradient(x, y, 30, x, y, width * 0.62);
  light.addColorStop(0, lit);
  light.addColorStop(0.55, base);
  light.addColorStop(1, edge);
  context.fillStyle = light;
  context.fillRect(0, 0, width, height);
}

type PlaceLine = (x: number, y: number, width: number, height: number, alpha: number) => void;

/** The lines in sight, in screen pixels. */
export function placeLines(camera: Camera, worldSize: number, look: Look, place: PlaceLine): void {
  const { lineAlpha } = themeOf(look);
  const step = WORLD.gridStep * farStep(camera);
  placeGrid(camera, worldSize, step, 1, LINE_ALPHA * lineAlpha, place);
  placeGrid(camera, worldSize, worldSize / SECTORS_PER_SIDE, 2, SECTOR_LINE_ALPHA * lineAlpha, place);
}

function placeGrid(
  camera: Camera,
  worldSize: number,
  step: number,
  thicknessPx: number,
  alpha: number,
  place: PlaceLine,
): void {
  const halfWidth = camera.widthPx / camera.scale / 2;
  const halfHeight = camera.heightPx / camera.scale / 2;
  const top = Math.max(0, toScreenY(camera, 0));
  const bottom = Math.min(camera.heightPx, toScreenY(camera, worldSize));
  const left = Math.max(0, toScreenX(camera, 0));
  const right = Math.min(camera.widthPx, toScreenX(camera, worldSize));
  const firstX = Math.max(step, Math.ceil((camera.x - halfWidth) / step) * step);
  for (let x = firstX; x <= Math.min(worldSize - 1, camera.x + halfWidth); x += step) {
    place(Math.round(toScreenX(camera, x)), top, thicknessPx, bottom - top, alpha);
  }
  const firstY = Math.max(step, Math.ceil((camera.y - halfHeight) / step) * step);
  for (let y = firstY; y <= Math.min(worldSize - 1, camera.y + halfHeight); y += step) {
    place(left, Math.round(toScreenY(camera, y)), right - left, thicknessPx, alpha);
  }
}

/** A pool of thin sprites, reassigned every frame. */
function createLines() {
  const layer = new Container();
  let texture: Texture | undefined;
  const sprites: Sprite[] = [];
  let used = 0;
  return {
    layer,
    paint(colour: string) {
      const before = texture;
      texture = paintTexture(4, 4, 1, (context) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 4, 4);
      });
      for (const sprite of sprites) sprite.texture = texture;
      before?.destroy(true);
    },
    begin() {
      used = 0;
    },
    put(x: number, y: number, width: number, height: number, alpha: number) {
      let sprite = sprites[used];
      if (!sprite) {
        sprite = new Sprite(texture!);
        sprites.push(sprite);
        layer.addChild(sprite);
      }
      used++;
      sprite.visible = true;
      sprite.position.set(x, y);
      sprite.scale.set(width / 4, height / 4);
      sprite.alpha = alpha;
    },
    end() {
      for (let index = used; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      texture?.destroy(true);
    },
  };
}
