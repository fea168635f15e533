export const VOLUME = { default: 0.2, min: 0, max: 1, step: 0.01, storageKey: 'audio_volume' } as const;

export function clampVolume(volume: number): number {
  return Math.min(VOLUME.max, Math.max(VOLUME.min, volume));
}

/** A stored value that is no volume is ignored, not clamped: it was not set by the slider. */
export function readStoredVolume(stored: string | null): number {
  const volume = stored === null || stored.trim() === '' ? Number.NaN : Number(stored);
  return volume >= VOLUME.min && volume <= VOLUME.max ? volume : VOLUME.default;
}
