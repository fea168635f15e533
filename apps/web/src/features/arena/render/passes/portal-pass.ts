import { Container, Sprite, type Texture } from 'pixi.js';
import {
  drawPortalLight,
  drawPortalRings,
  drawPortalWhirl,
  PORTAL_REACH,
} from '../../../../art/draw-portal.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const RADIUS_PX = 110;

/** Portals: light, a whirl, and rings that turn the other way. */
export function createPortalPass(): Pass {
  const layer = new Container();
  const light = portalTexture(PORTAL_REACH.light, drawPortalLight);
  const whirl = portalTexture(PORTAL_REACH.whirl, drawPortalWhirl);
  const rings = portalTexture(PORTAL_REACH.rings, drawPortalRings);
  const views = new Map<number, { container: Container; whirl: Sprite; rings: Sprite; light: Sprite }>();

  return {
    layer,
    draw(frame, { hasMotion }) {
      const seen = new Set<number>();
      for (const portal of frame.portals) {
        seen.add(portal.id);
        const view = views.get(portal.id) ?? add(portal.id);
        view.container.position.set(portal.x, portal.y);
        view.container.scale.set(portal.radius / RADIUS_PX);
        view.container.alpha = portal.opacity;
        if (!hasMotion) continue;
        view.whirl.rotation = -frame.nowMs / (portal.isOpen ? 900 : 2600);
        view.rings.rotation = frame.nowMs / 3200;
        view.light.scale.set(1 + 0.06 * Math.sin(frame.nowMs / 380));
      }
      for (const [id, { container }] of views) {
        if (seen.has(id)) continue;
        views.delete(id);
        container.destroy({ children: true });
      }
    },
    destroy() {
      layer.destroy({ children: true });
      for (const texture of [light, whirl, rings]) texture.destroy(true);
    },
  };

  function add(id: number) {
    const view = {
      container: new Container(),
      light: new Sprite({ texture: light, anchor: 0.5 }),
      whirl: new Sprite({ texture: whirl, anchor: 0.5 }),
      rings: new Sprite({ texture: rings, anchor: 0.5 }),
    };
    view.container.addChild(view.light, view.whirl, view.rings);
    layer.addChild(view.container);
    views.set(id, view);
    return view;
  }
}

function portalTexture(reach: number, draw: (context: CanvasRenderingContext2D, r: number) => void): Texture {
  const half = Math.ceil(RADIUS_PX * reach);
  return paintTexture(2 * half, 2 * half, 1, (context) => {
    context.translate(half, half);
    draw(context, RADIUS_PX);
  });
}
