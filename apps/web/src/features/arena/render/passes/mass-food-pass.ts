import { Container, Sprite } from 'pixi.js';
import { MAX_MASS_FOOD_DRAWN } from '../../../../art/food-look.ts';
import { shownColour } from '../../model/frame.ts';
import type { CellTextures } from '../textures/cell-textures.ts';
import type { Pass } from './pass.ts';

/** Drops of ejected mass. Sprites are handed out anew each frame: nothing about a drop has to be remembered. */
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
