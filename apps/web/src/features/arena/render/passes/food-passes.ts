import { Container, Mesh, MeshGeometry, Sprite } from 'pixi.js';
import type { Gulp } from '../../model/frame/gulps.ts';
import { createFoodQuads, type FoodQuads, QUAD_FLOATS, syncFoodQuads } from '../food-quads.ts';
import type { Pass } from '../stage.ts';
import type { BodyTexture, DropletTextures } from '../textures/droplet-textures.ts';
import { FOOD_TEXTURE_RADIUS_PX, type FoodTextures } from '../textures/food-textures.ts';

/** All food in one mesh. Food does not move, so a change rewrites only the pieces that it is about. */
export function createFoodPass(textures: FoodTextures): Pass {
  let quads = createFoodQuads();
  const layer = new Mesh({ geometry: geometryOf(quads), texture: textures.atlas });
  let drawnVersion = -1;
  let isRound = true;

  return {
    layer,
    draw({ food }, { look }) {
      if (look.roundFood !== isRound) {
        isRound = look.roundFood;
        quads = createFoodQuads();
        drawnVersion = -1;
      }
      if (food.version === drawnVersion) return;
      drawnVersion = food.version;
      const change = syncFoodQuads(quads, food.shown, ({ colour }) => textures.of(colour, isRound).uvs);
      if (change === 'grown' || layer.geometry.positions !== quads.positions) replaceGeometry();
      else if (change) upload(change);
    },
    destroy() {
      const { geometry } = layer;
      layer.destroy();
      geometry.destroy(true);
    },
  };

  function replaceGeometry(): void {
    const before = layer.geometry;
    layer.geometry = geometryOf(quads);
    before.destroy(true);
  }

  function upload({ from, to }: { readonly from: number; readonly to: number }): void {
    for (const name of ['aPosition', 'aUV']) {
      layer.geometry.getBuffer(name).update((to - from) * QUAD_BYTES, from * QUAD_BYTES);
    }
  }
}

const QUAD_BYTES = QUAD_FLOATS * Float32Array.BYTES_PER_ELEMENT;

function geometryOf({ positions, uvs }: FoodQuads): MeshGeometry {
  const indices = new Uint32Array((positions.length / QUAD_FLOATS) * 6);
  for (let at = 0, corner = 0; at < indices.length; at += 6, corner += 4) {
    indices.set([corner, corner + 1, corner + 2, corner, corner + 2, corner + 3], at);
  }
  const geometry = new MeshGeometry({ positions, uvs, indices });
  geometry.batchMode = 'no-batch';
  return geometry;
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
