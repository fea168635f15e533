import type { FoodView } from '@engulf/netcode/arena-view';
import { Container, Particle, ParticleContainer, Sprite } from 'pixi.js';
import type { Gulp } from '../../model/gulps.ts';
import type { Pass } from '../stage.ts';
import type { BodyTexture, DropletTextures } from '../textures/droplet-textures.ts';
import { FOOD_TEXTURE_RADIUS_PX, type FoodTextures } from '../textures/food-textures.ts';

/** More than any player sees: a spectator looks at the whole map, where a piece is as large as a pixel. */
const MANY = 1_200;
/** Some piece of so many changes with every tick, and an upload takes all of them. */
const MANY_EVERY_MS = 400;

/** Food does not move, so its particles are uploaded only when the food changes. */
export function createFoodPass(textures: FoodTextures): Pass {
  const layer = new ParticleContainer({
    texture: textures.of(0, true),
    dynamicProperties: { position: false, vertex: false, rotation: false, color: false, uvs: false },
  });
  const particles = new Map<FoodView, Particle>();
  let drawnVersion = -1;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let isRound = true;

  return {
    layer,
    draw({ food, nowMs }, { look }) {
      if (look.roundFood !== isRound) {
        isRound = look.roundFood;
        particles.clear();
        drawnVersion = -1;
      }
      const isTooSoon = food.shown.size > MANY && Math.abs(nowMs - drawnMs) < MANY_EVERY_MS;
      if (food.version === drawnVersion || (drawnVersion >= 0 && isTooSoon)) return;
      drawnVersion = food.version;
      drawnMs = nowMs;
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
        texture: textures.of(item.colour, isRound),
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
export function createMassFoodPass(textures: DropletTextures): Pass {
  const layer = new Container();
  const sprites: Sprite[] = [];
  return {
    layer,
    draw({ massFood }) {
      const count = Math.min(massFood.length, MAX_MASS_FOOD_DRAWN);
      for (let index = 0; index < count; index++) {
        const drop = massFood[index]!;
        let sprite = sprites[index];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          layer.addChild(sprite);
        }
        sprite.visible = true;
        sprite.texture = textures.of(drop.colour);
        sprite.position.set(drop.x, drop.y);
        sprite.scale.set(drop.radius / textures.radiusPx);
      }
      for (let index = count; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      layer.destroy({ children: true });
    },
  };
}

/** Food and drops that are being swallowed, above the eater. Cells have their own animation. */
export function createGulpPass(drops: DropletTextures, food: FoodTextures): Pass {
  const layer = new Container();
  const sprites: Sprite[] = [];
  return {
    layer,
    draw({ gulps }, { look }) {
      let used = 0;
      for (const gulp of gulps) {
        if (gulp.kind === 'cell') continue;
        let sprite = sprites[used];
        if (!sprite) {
          sprite = new Sprite({ anchor: 0.5 });
          sprites.push(sprite);
          layer.addChild(sprite);
        }
        used++;
        const { texture, radiusPx } = lookOf(gulp, look.roundFood);
        sprite.visible = true;
        sprite.texture = texture;
        sprite.position.set(gulp.x, gulp.y);
        sprite.scale.set(gulp.radius / radiusPx);
      }
      for (let index = used; index < sprites.length; index++) sprites[index]!.visible = false;
    },
    destroy() {
      layer.destroy({ children: true });
    },
  };

  function lookOf({ kind, colour }: Gulp, isRound: boolean): BodyTexture {
    if (kind === 'food') return { texture: food.of(colour, isRound), radiusPx: FOOD_TEXTURE_RADIUS_PX };
    return { texture: drops.of(colour), radiusPx: drops.radiusPx };
  }
}
