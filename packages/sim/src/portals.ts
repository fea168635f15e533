import type { Rules } from './rules.ts';

export const PORTAL_PHASES = ['idle', 'warning', 'active', 'disappearing'] as const;
export type PortalPhase = (typeof PORTAL_PHASES)[number];

/** The exits of the current wave; all of them share one phase. */
export type Portals = {
  /** Index into PORTAL_PHASES. */
  phase: number;
  phaseEndsAtTick: number;
  count: number;
  /** Counts the waves, so that a portal id (wave, index) is never reused. */
  wave: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
};

export function createPortals(rules: Rules): Portals {
  return {
    phase: 0,
    phaseEndsAtTick: Math.round(rules.portals.idleSeconds * rules.stepsPerSecond),
    count: 0,
    wave: 0,
    x: new Float64Array(rules.portals.maxCount),
    y: new Float64Array(rules.portals.maxCount),
  };
}

export function portalPhase(portals: Portals): PortalPhase {
  return PORTAL_PHASES[portals.phase]!;
}
