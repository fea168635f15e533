import { type ConnectionQuality, QUALITY_LEVELS } from '@engulf/protocol/room/connection-quality';
import type { Look } from './look.ts';

/** What the picture includes; a slow line or machine loses detail first. */
export type DrawQuality = {
  /** Glow of the cells, dust, vignette, a push of the camera. */
  readonly hasDetail: boolean;
  /** Soft membranes, whirls, lips, particles. Without it things only fade. */
  readonly hasMotion: boolean;
  /** How many drops, and how many swallow animations, there may be at once. */
  readonly maxParticles: number;
  readonly look: Look;
};

type QualityInputs = {
  readonly connection: ConnectionQuality;
  readonly prefersReducedMotion: boolean;
  /** Whether the machine keeps up with full detail. */
  readonly isMachineFast: boolean;
  readonly look: Look;
};

export function drawQuality({
  connection,
  prefersReducedMotion,
  isMachineFast,
  look,
}: QualityInputs): DrawQuality {
  const settings = QUALITY_LEVELS[connection];
  return {
    hasDetail: settings.hasEffects && isMachineFast,
    hasMotion: !prefersReducedMotion,
    maxParticles: prefersReducedMotion ? 0 : settings.maxParticles,
    look,
  };
}

/** Averages over a window: main-thread time per frame, and time between frames, in those of the screen. */
const SLOW = { workMs: 24, screenFrames: 1.08 } as const;
const FAST = { workMs: 12, screenFrames: 1.05 } as const;
/** More than sixty frames a second are welcome, but not at the cost of quality. */
const SCREEN_MS = { fastest: 1000 / 60, slowest: 34 } as const;
/** Long enough that one garbage collection does not decide. */
const WINDOW_FRAMES = 90;
/** A longer gap means that the tab was hidden. */
const PAUSE_MS = 400;
const FIRST_RECOVERY_WINDOWS = 8;

/**
 * What the machine keeps up with. Pixels can be given up on the plain canvas only, and go last: the browser then has to
 * stretch the picture, which takes as long as painting a third more of them. With fewer, names and portraits get blocky.
 */
const PACES = [
  { hasDetail: true, sharpness: 1 },
  { hasDetail: false, sharpness: 1 },
  { hasDetail: false, sharpness: 0.8 },
] as const;

/**
 * Says whether the machine keeps up. One slow window is enough for a step down; each step up takes several fast ones,
 * twice as many each time, so that the picture does not flicker between two looks.
 */
export function createFramePace(): {
  note(workMs: number, intervalMs: number): void;
  /** Full detail is fast enough. */
  readonly isFast: boolean;
  /** The share of the pixels, across, that it keeps up with. */
  readonly sharpness: number;
} {
  let step = 0;
  let recoveryWindows = FIRST_RECOVERY_WINDOWS;
  let fastWindows = 0;
  let screenMs: number = SCREEN_MS.slowest;
  let workSumMs = 0;
  let intervalsMs: number[] = [];

  return {
    note(workMs, intervalMs) {
      if (intervalMs > PAUSE_MS) return;
      workSumMs += workMs;
      intervalsMs.push(intervalMs);
      if (intervalsMs.length < WINDOW_FRAMES) return;
      screenMs = Math.min(screenMs, shortestOf(intervalsMs));
      judge(workSumMs / WINDOW_FRAMES, intervalsMs.reduce((sum, ms) => sum + ms) / WINDOW_FRAMES / screenMs);
      workSumMs = 0;
      intervalsMs = [];
    },
    get isFast() {
      return PACES[step]!.hasDetail;
    },
    get sharpness() {
      return PACES[step]!.sharpness;
    },
  };

  function judge(workMs: number, screenFrames: number): void {
    if (workMs > SLOW.workMs || screenFrames > SLOW.screenFrames) {
      step = Math.min(PACES.length - 1, step + 1);
      fastWindows = 0;
      return;
    }
    if (step === 0) return;
    fastWindows = workMs < FAST.workMs && screenFrames < FAST.screenFrames ? fastWindows + 1 : 0;
    if (fastWindows < recoveryWindows) return;
    step--;
    fastWindows = 0;
    recoveryWindows *= 2;
  }
}

/** A machine that misses frames still shows some at the screen's own rate. */
function shortestOf(intervalsMs: readonly number[]): number {
  const quarter = intervalsMs.toSorted((a, b) => a - b)[Math.floor(intervalsMs.length / 4)]!;
  return Math.max(SCREEN_MS.fastest, quarter);
}
