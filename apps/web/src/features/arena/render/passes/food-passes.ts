import type { FoodView } from '@engulf/netcode/arena-view';
import { Container, Particle, ParticleContainer, Sprite } from 'pixi.js';
import { shownColour } from '../../model/frame.ts';
import type { Gulp } from '../../model/gulps.ts';
import type { Pass } from '../stage.ts';
import type { BodyTexture, CellTextures } from '../textures/cell-textures.ts';
import { FOOD_TEXTURE_RADIUS_PX, type FoodTextures } from '../textures/food-textures.ts';

/** Food does not move, so its particles are uploaded only when the food changes. */
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

const MAX_MASS_FOOD_DRAWN = 1_200;

/** Drops of ejected mass. Sprites are reassigned every frame, because a drop has no state. */
export function createMassFoodPass(textures: CellTextures): Pass {
  const layer = new Container();
  const sprites: Sprite[] = [];
  return {
    layer,
    draw({ massFood, own }) {
      const count = Math.min(massFood.length, MAX_MASS_FOOD_DRAWN);
      for (let index = 0; index < count; index++) {
        const drop = massFood[index]!;
        let sprite = sprites[index];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          layer.addChild(sprite);
        }
        const look = textures.droplet(shownColour(drop.colour, drop.isOwn, own?.player.colour));
        sprite.visible = true;
        sprite.texture = look.texture;
        sprite.position.set(drop.x, drop.y);
        sprite.scale.set(drop.radius / look.radiusPx);
      }
      for (let index = count; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      layer.destroy({ children: true });
    },
  };
}

/** Swallow animations, above the eater. */
export function createGulpPass(cells: CellTextures, food: FoodTextures): Pass {
  const layer = new Container();
  const sprites: Sprite[] = [];
  return {
    layer,
    draw({ gulps, camera }, { hasDetail }) {
      gulps.forEach((gulp, index) => {
        let sprite = sprites[index];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          layer.addChild(sprite);
        }
        const look = lookOf(gulp, camera.scale, hasDetail);
        sprite.visible = true;
        sprite.texture = look.texture;
        sprite.position.set(gulp.x, gulp.y);
        sprite.scale.set(gulp.radius / look.radiusPx);
        sprite.alpha = 0.9;
      });
      for (let index = gulps.length; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      layer.destroy({ children: true });
    },
  };

  function lookOf({ kind, colour, fromRadius }: Gulp, scale: number, hasDetail: boolean): BodyTexture {
    if (kind === 'food') {
      return { texture: food.byColour[colour] ?? food.byColour[0]!, radiusPx: FOOD_TEXTURE_RADIUS_PX };
    }
    return kind === 'cell' ? cells.pick(colour, fromRadius * scale, hasDetail) : cells.droplet(colour);
  }
}
