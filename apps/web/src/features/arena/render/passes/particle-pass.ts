import { Particle, ParticleContainer } from 'pixi.js';
import type { Particles } from '../particles.ts';
import type { Pass } from '../stage.ts';
import type { DropletTextures } from '../textures/droplet-textures.ts';

/** Flying drops, all in one draw call. */
export function createParticlePass(particles: Particles, textures: DropletTextures): Pass {
  const layer = new ParticleContainer({
    texture: textures.of(0),
    dynamicProperties: { position: true, vertex: true, rotation: false, color: true, uvs: true },
  });
  const shown: Particle[] = [];

  return {
    layer,
    draw() {
      const { drops, count } = particles;
      for (let i = 0; i < count; i++) {
        const drop = drops[i]!;
        let particle = shown[i];
        if (!particle) {
          particle = new Particle({ texture: textures.of(0), anchorX: 0.5, anchorY: 0.5 });
          shown.push(particle);
        }
        const share = drop.ageS / drop.lifeS;
        const scale = (drop.radius / textures.radiusPx) * (1 - share * share);
        particle.texture = textures.of(drop.colour);
        particle.x = drop.x;
        particle.y = drop.y;
        particle.scaleX = scale;
        particle.scaleY = scale;
        particle.alpha = 1 - share ** 3;
      }
      const before = layer.particleChildren.length;
      if (before !== count) {
        layer.particleChildren.length = 0;
        for (let i = 0; i < count; i++) layer.particleChildren.push(shown[i]!);
        layer.update();
      }
    },
    destroy() {
      layer.destroy();
    },
  };
}
