import type { PortalState, PortalTiming } from '@engulf/netcode/arena-view';

export const PORTAL = { maxTimerMs: 24_000, defaultRadius: 50 } as const;

export const PORTAL_OPACITY: { readonly [state in PortalState]: number } = {
  warning: 0.3,
  active: 1,
  disappearing: 0,
  hidden: 0,
};

/** `warning` is set in orange. */
export type PortalTimer = { readonly tone: 'live' | 'warning' | 'idle' | 'unknown'; readonly text: string };

/** Seconds are counted up to the full one: a timer that reads 0 while time is left would lie. */
export function portalTimer(timing: PortalTiming | undefined): PortalTimer {
  if (timing?.waveActive) return { tone: 'live', text: 'PORTAL LIVE!' };
  const leftMs = timing?.timeUntilNextWaveMs;
  if (!timing || leftMs === undefined || !Number.isFinite(leftMs)) return { tone: 'unknown', text: '--:--' };
  const leftS = Math.ceil(Math.max(0, leftMs) / 1000);
  const minutes = Math.floor(leftS / 60);
  const seconds = String(leftS % 60).padStart(2, '0');
  if (timing.inWarningPhase)
    return { tone: 'warning', text: `${String(minutes).padStart(2, '0')}:${seconds}` };
  return { tone: 'idle', text: `${minutes}:${seconds}` };
}
