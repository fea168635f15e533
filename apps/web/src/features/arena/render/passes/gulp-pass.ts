import { Container, Sprite } from 'pixi.js';
import type { Gulp } from '../../model/gulps.ts';
import type { BodyTexture, CellTextures } from '../textures/cell-textures.ts';
import { FOOD_TEXTURE_RADIUS_PX, type FoodTextures } from '../textures/food-textures.ts';
import type { Pass } from './pass.ts';

/** What is being swallowed, above the eater that it sinks into. */
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
