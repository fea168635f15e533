import { Container } from 'pixi.js';
import type { Frame } from '../state/frame.ts';
import { createBodiesPass } from './bodies-pass.ts';
import { createBorderPass } from './border-pass.ts';
import { createCellTextures } from './cell-textures.ts';
import { createDustPass } from './dust-pass.ts';
import { createFoodPass } from './food-pass.ts';
import { createFoodTextures } from './food-textures.ts';
import { createGroundPass } from './ground-pass.ts';
import { createGulpPass } from './gulp-pass.ts';
import { createLabelPass } from './label-pass.ts';
import { createMassFoodPass } from './mass-food-pass.ts';
import { createPillPass } from './pill-pass.ts';
import { createPortalPass } from './portal-pass.ts';
import { createPortraits } from './portraits.ts';
import type { DrawQuality } from './quality.ts';
import { createSectorPass } from './sector-pass.ts';
import type { Stage } from './stage.ts';
import { createVignettePass } from './vignette-pass.ts';

/** The whole picture: every pass in its order, some in world units, some in screen pixels. */
export function createPicture(stage: Stage, rewardUnit: string) {
  const cellTextures = createCellTextures(stage.density);
  const foodTextures = createFoodTextures();
  const portraits = createPortraits();
  const behind = [createGroundPass(), createDustPass(), createSectorPass(), createBorderPass()];
  const alive = [
    createFoodPass(foodTextures),
    createPortalPass(),
    createMassFoodPass(cellTextures),
    createBodiesPass(cellTextures, portraits),
    createGulpPass(cellTextures, foodTextures),
  ];
  const above = [
    createLabelPass(stage.density),
    createVignettePass(),
    createPillPass(stage.density, rewardUnit),
  ];
  const world = new Container({ children: alive.map(({ layer }) => layer) });
  stage.root.addChild(...behind.map(({ layer }) => layer), world, ...above.map(({ layer }) => layer));
  const passes = [...behind, ...alive, ...above];

  return {
    draw(frame: Frame, quality: DrawQuality): void {
      const { camera } = frame;
      world.scale.set(camera.scale);
      world.position.set(
        camera.widthPx / 2 - camera.x * camera.scale,
        camera.heightPx / 2 - camera.y * camera.scale,
      );
      for (const pass of passes) pass.draw(frame, quality);
      stage.render();
    },
    destroy(): void {
      for (const pass of passes) pass.destroy();
      cellTextures.destroy();
      foodTextures.destroy();
      portraits.destroy();
    },
  };
}
