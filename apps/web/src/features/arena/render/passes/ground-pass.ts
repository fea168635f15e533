import { Container, Sprite, type Texture } from 'pixi.js';
import { type Camera, toScreenX, toScreenY } from '../../model/camera.ts';
import { WORLD } from '../../model/map-grid.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const LINE_COLOUR = '#D6E8DE';
const LINE_ALPHA = 0.055;
const SECTOR_LINE_ALPHA = 0.16;
const SECTORS_PER_SIDE = 5;
/** A narrower grid would blur, so fewer lines are drawn from far away. */
const MIN_STEP_PX = 24;
const FAR_STEPS = [1, 7, 14] as const;

/** The floor: light in the middle, dark edges, and the grid that makes movement visible. */
export function createGroundPass(): Pass {
  const layer = new Container();
  const lightTexture = paintTexture(960, 540, 1, paintLight);
  const lineTexture = paintTexture(4, 4, 1, (context) => {
    context.fillStyle = LINE_COLOUR;
    context.fillRect(0, 0, 4, 4);
  });
  const light = new Sprite(lightTexture);
  const lines = createLines(lineTexture);
  layer.addChild(light, lines.layer);

  return {
    layer,
    draw({ camera, worldSize }) {
      light.width = camera.widthPx;
      light.height = camera.heightPx;
      lines.begin();
      const step = WORLD.gridStep * farStep(camera);
      const sector = worldSize / SECTORS_PER_SIDE;
      drawLines(lines, camera, worldSize, step, 1, LINE_ALPHA);
      drawLines(lines, camera, worldSize, sector, 2, SECTOR_LINE_ALPHA);
      lines.end();
    },
    destroy() {
      layer.destroy({ children: true });
      lightTexture.destroy(true);
      lineTexture.destroy(true);
    },
  };
}

function farStep({ scale }: Camera): number {
  return FAR_STEPS.find((steps) => WORLD.gridStep * steps * scale >= MIN_STEP_PX) ?? FAR_STEPS[2];
}

function paintLight(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const [x, y] = [width * 0.5, height * 0.52];
  const light = context.createRadialGradient(x, y, 30, x, y, width * 0.62);
  light.addColorStop(0, '#1D342E');
  light.addColorStop(0.55, '#0A1412');
  light.addColorStop(1, '#050908');
  context.fillStyle = light;
  context.fillRect(0, 0, width, height);
}

function drawLines(
  lines: Lines,
  camera: Camera,
  worldSize: number,
  step: number,
  thicknessPx: number,
  alpha: number,
): void {
  const halfWidth = camera.widthPx / camera.scale / 2;
  const halfHeight = camera.heightPx / camera.scale / 2;
  const top = Math.max(0, toScreenY(camera, 0));
  const bottom = Math.min(camera.heightPx, toScreenY(camera, worldSize));
  const left = Math.max(0, toScreenX(camera, 0));
  const right = Math.min(camera.widthPx, toScreenX(camera, worldSize));
  const firstX = Math.max(step, Math.ceil((camera.x - halfWidth) / step) * step);
  for (let x = firstX; x <= Math.min(worldSize - 1, camera.x + halfWidth); x += step) {
    lines.put(Math.round(toScreenX(camera, x)), top, thicknessPx, bottom - top, alpha);
  }
  const firstY = Math.max(step, Math.ceil((camera.y - halfHeight) / step) * step);
  for (let y = firstY; y <= Math.min(worldSize - 1, camera.y + halfHeight); y += step) {
    lines.put(left, Math.round(toScreenY(camera, y)), right - left, thicknessPx, alpha);
  }
}

type Lines = ReturnType<typeof createLines>;

/** A pool of thin sprites, reassigned every frame. */
function createLines(texture: Texture) {
  const layer = new Container();
  const sprites: Sprite[] = [];
  let used = 0;
  return {
    layer,
    begin() {
      used = 0;
    },
    put(x: number, y: number, width: number, height: number, alpha: number) {
      let sprite = sprites[used];
      if (!sprite) {
        sprite = new Sprite(texture);
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
  };
}
