import { type ConnectionQuality, RENDER_SETTINGS } from '@engulf/domain/connection-quality';

/** What may be left out, in the order in which it goes: granules, glow and dust first. */
export type DrawQuality = {
  /** Granules and glow of the cells, dust, vignette. */
  readonly hasDetail: boolean;
  /** Wobble, whirls, bulges. */
  readonly hasMotion: boolean;
  /** How many things may be on their way into a cell at a time. */
  readonly maxGulps: number;
};

export type QualityInputs = {
  readonly connection: ConnectionQuality;
  readonly prefersReducedMotion: boolean;
  /** Whether the machine keeps up with the full picture. */
  readonly isMachineFast: boolean;
};

export function drawQuality({ connection, prefersReducedMotion, isMachineFast }: QualityInputs): DrawQuality {
  const settings = RENDER_SETTINGS[connection];
  return {
    hasDetail: settings.hasEffects && isMachineFast,
    hasMotion: !prefersReducedMotion,
    maxGulps: prefersReducedMotion ? 0 : settings.maxParticles,
  };
}

const SLOW_FRAME_MS = 24;
const FAST_FRAME_MS = 10;
/** Long enough that a burst of painting or a garbage collection decides nothing. */
const WINDOW_FRAMES = 120;

/**
 * Watches how long frames take on the main thread and says whether the machine keeps up. It changes its mind
 * only on clear evidence, or the picture would flicker between two looks.
 */
export function createFramePace(): { note(frameMs: number): void; readonly isFast: boolean } {
  let isFast = true;
  let frames = 0;
  let sumMs = 0;
  return {
    note(frameMs) {
      frames += 1;
      sumMs += frameMs;
      if (frames < WINDOW_FRAMES) return;
      const meanMs = sumMs / frames;
      if (meanMs > SLOW_FRAME_MS) isFast = false;
      else if (meanMs < FAST_FRAME_MS) isFast = true;
      frames = 0;
      sumMs = 0;
    },
    get isFast() {
      return isFast;
    },
  };
}
