import type { Frame } from '../model/frame/frame.ts';
import { addBurst, type Burst, createParticles, type Particles, stepParticles } from './particles.ts';
import type { DrawQuality } from './quality.ts';

/** What the passes set off and the whole picture shows: flying drops, and a push of the camera. */
export type Effects = ReturnType<typeof createEffects>;

const SHAKE_FADES_MS = 90;
const MAX_SHAKE_PX = 7;

export function createEffects() {
  const particles: Particles = createParticles();
  let quality: DrawQuality | undefined;
  let shakePx = 0;
  let shakeAngle = 0;
  let nowMs = 0;

  return {
    particles,
    begin(frame: Frame, next: DrawQuality): void {
      quality = next;
      nowMs = frame.nowMs;
      shakePx *= Math.exp(-frame.elapsedMs / SHAKE_FADES_MS);
      stepParticles(particles, frame.elapsedMs);
    },
    burst(burst: Burst): void {
      if (quality?.hasMotion) addBurst(particles, burst, quality.maxParticles, Math.random);
    },
    /** Pushes the camera in a direction; it swings back by itself. */
    push(angle: number, px: number): void {
      if (!quality?.hasMotion || !quality.hasDetail) return;
      shakePx = Math.min(MAX_SHAKE_PX, shakePx + px);
      shakeAngle = angle;
    },
    shake(): { readonly x: number; readonly y: number } {
      if (shakePx < 0.3) return { x: 0, y: 0 };
      const swing = shakePx * Math.cos(nowMs / 22);
      return { x: swing * Math.cos(shakeAngle), y: swing * Math.sin(shakeAngle) };
    },
  };
}
