import { Container } from 'pixi.js';
import type { Frame } from '../model/frame.ts';
import { createDustPass, createVignettePass } from './passes/atmosphere-passes.ts';
import { createBodiesPass } from './passes/bodies-pass.ts';
import { createBorderPass } from './passes/border-pass.ts';
import { createFoodPass, createGulpPass, createMassFoodPass } from './passes/food-passes.ts';
import { createGroundPass } from './passes/ground-pass.ts';
import { createLabelPass } from './passes/label-pass.ts';
import { createPillPass } from './passes/pill-pass.ts';
import { createPortalPass } from './passes/portal-pass.ts';
import { createSectorPass } from './passes/sector-pass.ts';
import type { DrawQuality } from './quality.ts';
import type { Stage } from './stage.ts';
import { createCellTextures } from './textures/cell-textures.ts';
import { createFoodTextures } from './textures/food-textures.ts';
import { createPortraits } from './textures/portraits.ts';

/** All passes in drawing order; `behind` and `above` work in screen pixels, `alive` in world units. */
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
