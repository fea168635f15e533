import { type ConnectionQuality, RENDER_SETTINGS } from '../net/connection-metrics.ts';

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

/** Of the main thread's time, and from one frame to the next. */
const SLOW = { workMs: 24, intervalMs: 66 } as const;
const FAST = { workMs: 12, intervalMs: 34 } as const;
/** Long enough that a burst of painting or a garbage collection decides nothing. */
const WINDOW_FRAMES = 90;
/** A frame that comes later than this was not slow: nobody was looking. */
const PAUSE_MS = 400;
const FIRST_PATIENCE = 8;

/**
 * Watches how frames come and says whether the machine keeps up. It loses faith in one slow window and regains
 * it after several fast ones, twice as many each time: the picture must not flicker between two looks.
 */
export function createFramePace(): {
  note(workMs: number, intervalMs: number): void;
  readonly isFast: boolean;
} {
  let isFast = true;
  let patience = FIRST_PATIENCE;
  let fastWindows = 0;
  let frames = 0;
  let workSumMs = 0;
  let intervalSumMs = 0;

  return {
    note(workMs, intervalMs) {
      if (intervalMs > PAUSE_MS) return;
      frames++;
      workSumMs += workMs;
      intervalSumMs += intervalMs;
      if (frames < WINDOW_FRAMES) return;
      judge(workSumMs / frames, intervalSumMs / frames);
      frames = 0;
      workSumMs = 0;
      intervalSumMs = 0;
    },
    get isFast() {
      return isFast;
    },
  };

  function judge(workMs: number, intervalMs: number): void {
    if (isFast) {
      if (workMs <= SLOW.workMs && intervalMs <= SLOW.intervalMs) return;
      isFast = false;
      fastWindows = 0;
      return;
    }
    fastWindows = workMs < FAST.workMs && intervalMs < FAST.intervalMs ? fastWindows + 1 : 0;
    if (fastWindows < patience) return;
    isFast = true;
    patience *= 2;
  }
}
