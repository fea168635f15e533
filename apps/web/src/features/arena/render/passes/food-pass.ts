import type { FoodView } from '@engulf/netcode/arena-view';
import { Particle, ParticleContainer } from 'pixi.js';
import { FOOD_TEXTURE_RADIUS_PX, type FoodTextures } from '../textures/food-textures.ts';
import type { Pass } from './pass.ts';

/** Food lies still: its particles are uploaded when some appears or goes, and otherwise only drawn. */
export function createFoodPass(textures: FoodTextures): Pass {
  const layer = new ParticleContainer({
    texture: textures.byColour[0]!,
    dynamicProperties: { position: false, vertex: false, rotation: false, color: false, uvs: false },
  });
  const particles = new Map<FoodView, Particle>();
  let drawnVersion = -1;

  return {
    layer,
    draw({ food }) {
      if (food.version === drawnVersion) return;
      drawnVersion = food.version;
      layer.particleChildren.length = 0;
      for (const item of food.shown.values()) layer.particleChildren.push(particleOf(item));
      for (const item of particles.keys()) {
        if (food.shown.get(item.id) !== item) particles.delete(item);
      }
      layer.update();
    },
    destroy() {
      layer.destroy();
    },
  };

  function particleOf(item: FoodView): Particle {
    let particle = particles.get(item);
    if (!particle) {
      const scale = item.radius / FOOD_TEXTURE_RADIUS_PX;
      particle = new Particle({
        texture: textures.byColour[item.colour] ?? textures.byColour[0]!,
        x: item.x,
        y: item.y,
        anchorX: 0.5,
        anchorY: 0.5,
        scaleX: scale,
        scaleY: scale,
      });
      particles.set(item, particle);
    }
    return particle;
  }
}
