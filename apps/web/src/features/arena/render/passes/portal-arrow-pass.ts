import { Sprite, type Texture } from 'pixi.js';
import { type Camera, isInSight, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { Frame, ShownPortal } from '../../model/frame/frame.ts';
import { panelScale } from '../panel-scale.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const SIZE_PX = 76;
/** From the edges of the screen to the panels' inner edges, and a little more. */
const INSET = { x: 370, y: 215 } as const;

/** An arrow near the edge of the screen that points to the nearest portal, while that is out of sight. */
export function createPortalArrowPass(): Pass {
  const texture = paintArrow();
  const layer = new Sprite({ texture, anchor: 0.5 });

  return {
    layer,
    draw(frame, { hasMotion }) {
      const portal = nearestPortal(frame);
      layer.visible = portal !== undefined && !isInSight(frame.camera, portal.x, portal.y, -portal.radius);
      if (!portal || !layer.visible) return;
      const { x, y, angle } = arrowPlace(frame.camera, portal);
      layer.position.set(x, y);
      layer.rotation = angle;
      const beat = hasMotion ? 1 + 0.07 * Math.sin(frame.nowMs / (portal.isOpen ? 130 : 300)) : 1;
      layer.scale.set(beat * Math.max(0.7, Math.min(1.6, frame.camera.heightPx / 1080)));
      layer.alpha = portal.isOpen ? 1 : 0.6;
    },
    destroy() {
      layer.destroy();
      texture.destroy(true);
    },
  };
}

function nearestPortal({ portals, own, camera }: Frame): ShownPortal | undefined {
  const from = own?.primary ?? camera;
  let nearest: ShownPortal | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const portal of portals) {
    const distance = Math.hypot(portal.x - from.x, portal.y - from.y);
    if (portal.opacity < 0.12 || distance >= least) continue;
    least = distance;
    nearest = portal;
  }
  return nearest;
}

/** Where the line from the middle of the screen to the target leaves the oval between the panels. */
export function arrowPlace(
  camera: Camera,
  target: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number; readonly angle: number } {
  const halfX = camera.widthPx / 2;
  const halfY = camera.heightPx / 2;
  const dx = toScreenX(camera, target.x) - halfX;
  const dy = toScreenY(camera, target.y) - halfY;
  const scale = panelScale(camera.widthPx);
  const across = dx / Math.max(40, halfX - INSET.x * scale);
  const down = dy / Math.max(40, halfY - INSET.y * scale);
  const share = 1 / Math.max(1e-6, Math.hypot(across, down));
  return { x: halfX + dx * share, y: halfY + dy * share, angle: Math.atan2(dy, dx) };
}

function paintArrow(): Texture {
  return paintTexture(SIZE_PX, SIZE_PX, 2, (context) => {
    const half = SIZE_PX / 2;
    const glow = context.createRadialGradient(half, half, 6, half, half, half);
    glow.addColorStop(0, 'rgba(255,147,48,.5)');
    glow.addColorStop(1, 'rgba(255,147,48,0)');
    context.fillStyle = glow;
    context.fillRect(0, 0, SIZE_PX, SIZE_PX);
    context.translate(half, half);
    context.lineJoin = 'round';
    context.beginPath();
    for (const [x, y] of [
      [24, 0],
      [-10, 17],
      [-3, 0],
      [-10, -17],
    ] as const) {
      context.lineTo(x, y);
    }
    context.closePath();
    context.lineWidth = 9;
    context.strokeStyle = '#0A1211';
    context.stroke();
    context.fillStyle = '#FF9330';
    context.fill();
  });
}
