import { Container } from 'pixi.js';
import { COLOUR_BLIND_COLOURS, PLAYER_COLOURS } from '../../../art/palette.ts';
import type { Frame } from '../model/frame/frame.ts';
import { createPaintedBorder } from './canvas/painted-border.ts';
import { createPaintedFood } from './canvas/painted-food.ts';
import { createPaintedGround, createPaintedVignette } from './canvas/painted-ground.ts';
import { createPlasmaPreparer } from './canvas/plasma.ts';
import { createEffects } from './effects.ts';
import { createDustPass, createVignettePass } from './passes/atmosphere-passes.ts';
import { createBodiesPass } from './passes/bodies-pass.ts';
import { createBorderPass } from './passes/border-pass.ts';
import { createEmotePass } from './passes/emote-pass.ts';
import { createFoodPass, createGulpPass, createMassFoodPass } from './passes/food-passes.ts';
import { createGroundPass } from './passes/ground-pass.ts';
import { createLabelPass } from './passes/label-pass.ts';
import { createParticlePass } from './passes/particle-pass.ts';
import { createPillPass } from './passes/pill-pass.ts';
import { createPortalArrowPass } from './passes/portal-arrow-pass.ts';
import { createPortalPass } from './passes/portal-pass.ts';
import { createSectorPass } from './passes/sector-pass.ts';
import type { DrawQuality } from './quality.ts';
import type { Stage } from './stage.ts';
import { createDropletTextures } from './textures/droplet-textures.ts';
import { createFleshTextures } from './textures/flesh-textures.ts';
import { createFoodTextures } from './textures/food-textures.ts';
import { createPortraits } from './textures/portraits.ts';
import { VIRUS_DEPTH_MASS } from './virus-depth.ts';

/** All passes in drawing order; `behind` and `above` work in screen pixels, `alive` in world units. */
export function createPicture(stage: Stage, rewardUnit: string, virusDepthMass = VIRUS_DEPTH_MASS) {
  let isColourBlind = false;
  const effects = createEffects();
  const flesh = createFleshTextures(stage.density, () =>
    isColourBlind ? COLOUR_BLIND_COLOURS : PLAYER_COLOURS,
  );
  const droplets = createDropletTextures(PLAYER_COLOURS);
  const foodTextures = createFoodTextures();
  const portraits = createPortraits();
  const isPainted = stage.kind === 'canvas';
  const prepareNext = isPainted ? createPlasmaPreparer(flesh) : () => flesh.prepareNext();
  const ground = isPainted
    ? [createPaintedGround()]
    : [createGroundPass(), createDustPass(), createSectorPass()];
  const behind = [...ground, isPainted ? createPaintedBorder() : createBorderPass()];
  const alive = [
    isPainted ? createPaintedFood() : createFoodPass(foodTextures),
    createMassFoodPass(droplets),
    createBodiesPass(stage.kind, flesh, portraits, effects, virusDepthMass),
    createGulpPass(droplets, foodTextures),
    // Above the cells, because a player has to see what to hit.
    createPortalPass(),
    createParticlePass(effects.particles, droplets),
  ];
  const above = [
    createLabelPass(stage.density),
    createEmotePass(stage.density),
    isPainted ? createPaintedVignette() : createVignettePass(),
    createPortalArrowPass(),
    createPillPass(stage.density, rewardUnit),
  ];
  const world = new Container({ label: 'world', children: alive.map(({ layer }) => layer) });
  stage.root.addChild(...behind.map(({ layer }) => layer), world, ...above.map(({ layer }) => layer));
  const passes = [...behind, ...alive, ...above];
  let isPreparing = true;

  return {
    /** Frames take longer at first, because they paint what later ones need. */
    get isPreparing() {
      return isPreparing;
    },
    draw(frame: Frame, quality: DrawQuality): void {
      const { camera } = frame;
      isColourBlind = quality.look.isColourBlind;
      isPreparing = prepareNext();
      portraits.prepareNext(frame.nowMs);
      effects.begin(frame, quality);
      const shake = effects.shake();
      world.scale.set(camera.scale);
      world.position.set(
        camera.widthPx / 2 - camera.x * camera.scale + shake.x,
        camera.heightPx / 2 - camera.y * camera.scale + shake.y,
      );
      for (const pass of passes) pass.draw(frame, quality);
      stage.render();
    },
    destroy(): void {
      for (const pass of passes) pass.destroy();
      flesh.destroy();
      droplets.destroy();
      foodTextures.destroy();
      portraits.destroy();
    },
  };
}
