import { type Layer, SOUNDS, type SoundName } from './sounds.ts';

export const MAX_VOICES = 12;

type Voice = { readonly rank: number; readonly endsMs: number; readonly stop: () => void };

/** Decides what may sound: no sound too often, and never more at once than can be told apart. */
export function createVoices() {
  const playedMs = new Map<SoundName, number>();
  let voices: Voice[] = [];
  return {
    /** Whether a sound may start now; makes room for it if it is more important than another. */
    admit(name: SoundName, nowMs: number): boolean {
      const { everyMs, rank } = SOUNDS[name];
      if (nowMs - (playedMs.get(name) ?? Number.NEGATIVE_INFINITY) < everyMs) return false;
      voices = voices.filter(({ endsMs }) => endsMs > nowMs);
      if (voices.length >= MAX_VOICES) {
        const least = voices.reduce((a, b) => (b.rank < a.rank ? b : a));
        if (least.rank >= rank) return false;
        least.stop();
        voices = voices.filter((voice) => voice !== least);
      }
      playedMs.set(name, nowMs);
      return true;
    },
    hold(name: SoundName, endsMs: number, stop: () => void): void {
      voices.push({ rank: SOUNDS[name].rank, endsMs, stop });
    },
  };
}

export function lengthMs(name: SoundName): number {
  const layers: readonly Layer[] = SOUNDS[name].layers;
  return Math.max(...layers.map((layer) => layer.lengthMs + (layer.delayMs ?? 0)));
}
