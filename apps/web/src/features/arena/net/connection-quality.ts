/** From best to worst. */
export const CONNECTION_QUALITIES = ['excellent', 'good', 'fair', 'poor', 'critical'] as const;
export type ConnectionQuality = (typeof CONNECTION_QUALITIES)[number];

export type ConnectionFigures = {
  readonly averageRttMs: number;
  readonly jitterMs: number;
  readonly packetLossPercent: number;
};

/** A connection has the first of these qualities for which any figure lies above the row; otherwise it is excellent. */
const ABOVE = [
  { quality: 'critical', averageRttMs: 1000, jitterMs: 200, packetLossPercent: 20 },
  { quality: 'poor', averageRttMs: 500, jitterMs: 100, packetLossPercent: 10 },
  { quality: 'fair', averageRttMs: 200, jitterMs: 50, packetLossPercent: 5 },
  { quality: 'good', averageRttMs: 100, jitterMs: 25, packetLossPercent: 2 },
] as const;

export function connectionQuality(figures: ConnectionFigures): ConnectionQuality {
  const row = ABOVE.find(
    (limit) =>
      figures.averageRttMs > limit.averageRttMs ||
      figures.jitterMs > limit.jitterMs ||
      figures.packetLossPercent > limit.packetLossPercent,
  );
  return row?.quality ?? 'excellent';
}

/** Good enough not to trouble the player with: the chip in the corner shows for the others only. */
export function isStableQuality(quality: ConnectionQuality): boolean {
  return quality !== 'poor' && quality !== 'critical';
}

export type RenderSettings = {
  readonly updatesPerSecond: number;
  readonly viewDistanceWorld: number;
  readonly maxParticles: number;
  readonly hasEffects: boolean;
};

export const RENDER_SETTINGS: { readonly [quality in ConnectionQuality]: RenderSettings } = {
  excellent: { updatesPerSecond: 60, viewDistanceWorld: 2000, maxParticles: 150, hasEffects: true },
  good: { updatesPerSecond: 45, viewDistanceWorld: 1500, maxParticles: 100, hasEffects: true },
  fair: { updatesPerSecond: 30, viewDistanceWorld: 1200, maxParticles: 50, hasEffects: false },
  poor: { updatesPerSecond: 20, viewDistanceWorld: 800, maxParticles: 25, hasEffects: false },
  critical: { updatesPerSecond: 15, viewDistanceWorld: 600, maxParticles: 0, hasEffects: false },
};
