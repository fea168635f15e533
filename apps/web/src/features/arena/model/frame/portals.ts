import type { ArenaView, PortalState, PortalTiming } from '@engulf/netcode/decode/arena-view';
import type { ShownPortal } from './frame.ts';

const PORTAL_OPACITY: { readonly [state in PortalState]: number } = {
  warning: 0.3,
  active: 1,
  disappearing: 0,
  hidden: 0,
};

/** The tone decides the colour of the timer. */
export type PortalTimer = { readonly tone: 'live' | 'warning' | 'idle' | 'unknown'; readonly text: string };

/** Rounds up, so that the timer does not read 0 while time is left. */
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

/** '00:24', and '01:00' for the last minute of a lobby. */
export function clockText(secondsLeft: number): string {
  const left = Math.ceil(secondsLeft);
  return [Math.floor(left / 60), left % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Portals by id, with the opacity they have faded to. */
type PortalFades = Map<number, ShownPortal>;

const FADE_MS = 220;
const INVISIBLE_BELOW = 0.01;

export function createPortalFades(): PortalFades {
  return new Map();
}

/** A portal that left the wave fades out before it is dropped. */
export function fadePortals(fades: PortalFades, view: ArenaView, elapsedMs: number): readonly ShownPortal[] {
  const share = 1 - Math.exp(-elapsedMs / FADE_MS);
  const ticksLeft = Math.max(0, view.portalPhaseEndsAtTick - view.tick);
  const secondsLeft = view.world ? ticksLeft / view.world.ticksPerSecond : 0;
  const gone = new Set(fades.keys());
  for (const { id, x, y, radius, state } of view.portals) {
    gone.delete(id);
    const before = fades.get(id)?.opacity ?? 0;
    const opacity = before + (PORTAL_OPACITY[state] - before) * share;
    fades.set(id, { id, x, y, radius, opacity, secondsLeft, isOpen: state === 'active' });
  }
  for (const id of gone) {
    const portal = fades.get(id)!;
    const opacity = portal.opacity * (1 - share);
    if (opacity < INVISIBLE_BELOW) fades.delete(id);
    else fades.set(id, { ...portal, opacity, isOpen: false });
  }
  return [...fades.values()];
}
