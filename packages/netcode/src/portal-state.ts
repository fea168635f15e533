const PORTAL_STATES = ['warning', 'active', 'disappearing', 'hidden'] as const;
export type PortalState = (typeof PORTAL_STATES)[number];

export type PortalTiming = {
  readonly waveActive: boolean;
  readonly inWarningPhase: boolean;
  readonly timeUntilNextWaveMs?: number | undefined;
};
