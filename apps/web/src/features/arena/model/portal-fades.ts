import type { ArenaView } from '@engulf/netcode/arena-view';
import type { ShownPortal } from './frame.ts';
import { PORTAL_OPACITY } from './portal-state.ts';

/** How far each portal has faded in or out, by its id. */
export type PortalFades = Map<number, ShownPortal>;

const FADE_MS = 220;
const INVISIBLE_BELOW = 0.01;

export function createPortalFades(): PortalFades {
  return new Map();
}

/** A portal that is gone from the wave fades out before it is forgotten. */
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
