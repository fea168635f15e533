/*
 * Every sound of the arena as numbers, played by synth.ts: wet, rubbery and glassy, close to the ear. A sound is a few
 * layers that start together or a moment apart.
 */

export type Layer = {
  /** A tone by its wave, or filtered noise. */
  readonly wave: 'sine' | 'triangle' | 'sawtooth' | 'square' | 'noise';
  /** Hertz: of the tone, or of the filter that the noise goes through. */
  readonly fromHz: number;
  readonly toHz: number;
  readonly attackMs: number;
  readonly lengthMs: number;
  readonly gain: number;
  readonly delayMs?: number;
  /** How narrow the filter of noise is. */
  readonly narrowness?: number;
};

type Sound = {
  readonly layers: readonly Layer[];
  /** Not played again sooner. */
  readonly everyMs: number;
  /** When all voices are taken, a more important sound replaces a less important one. */
  readonly rank: number;
};

const pop = (fromHz: number, toHz: number, lengthMs: number, gain: number): Layer => ({
  wave: 'sine',
  fromHz,
  toHz,
  attackMs: 3,
  lengthMs,
  gain,
});
const hiss = (
  fromHz: number,
  toHz: number,
  lengthMs: number,
  gain: number,
  narrowness = 1.5,
  delayMs = 0,
): Layer => ({ wave: 'noise', fromHz, toHz, attackMs: 8, lengthMs, gain, narrowness, delayMs });
const glass = (hz: number, lengthMs: number, gain: number, delayMs = 0): Layer => ({
  wave: 'triangle',
  fromHz: hz,
  toHz: hz * 0.998,
  attackMs: 2,
  lengthMs,
  gain,
  delayMs,
});

export const SOUNDS = {
  eat: { layers: [pop(520, 260, 90, 1), hiss(1_400, 500, 60, 0.3)], everyMs: 45, rank: 1 },
  /** A low pop and suction. */
  gulp: {
    layers: [pop(190, 62, 260, 1), hiss(300, 1_500, 200, 0.4, 3), pop(90, 44, 220, 0.8)],
    everyMs: 90,
    rank: 5,
  },
  split: { layers: [pop(260, 720, 70, 0.7), hiss(2_400, 700, 50, 0.35)], everyMs: 60, rank: 4 },
  eject: { layers: [pop(340, 150, 90, 0.5), hiss(900, 300, 70, 0.2)], everyMs: 60, rank: 2 },
  burst: {
    layers: [hiss(3_200, 180, 420, 0.9, 0.7), pop(150, 40, 320, 0.9), hiss(5_000, 1_500, 120, 0.4)],
    everyMs: 200,
    rank: 6,
  },
  kill: {
    layers: [glass(392, 300, 0.85), glass(587, 420, 0.85, 70), glass(784, 620, 0.95, 140)],
    everyMs: 200,
    rank: 6,
  },
  /** A heartbeat, with overtones that a laptop's speakers can play. */
  danger: {
    layers: [
      pop(74, 46, 170, 0.28),
      pop(340, 230, 120, 0.24),
      { ...pop(66, 40, 190, 0.22), delayMs: 150 },
      { ...pop(300, 205, 130, 0.18), delayMs: 150 },
    ],
    everyMs: 280,
    rank: 3,
  },
  portalWarning: {
    layers: [
      { wave: 'sawtooth', fromHz: 70, toHz: 210, attackMs: 500, lengthMs: 1_900, gain: 0.16 },
      { wave: 'sine', fromHz: 105, toHz: 320, attackMs: 600, lengthMs: 2_000, gain: 0.4 },
    ],
    everyMs: 1_000,
    rank: 7,
  },
  /** Struck glass. */
  portalLive: {
    layers: [glass(1_046, 1_500, 0.42), glass(1_573, 1_200, 0.24, 12), glass(2_637, 900, 0.14, 20)],
    everyMs: 1_000,
    rank: 7,
  },
  /** Coins that fall into gel. */
  cashOut: {
    layers: [
      glass(1_318, 260, 0.35),
      glass(1_760, 300, 0.35, 90),
      glass(2_093, 320, 0.35, 170),
      glass(2_637, 480, 0.35, 260),
      { ...pop(240, 70, 420, 0.7), delayMs: 300 },
    ],
    everyMs: 1_000,
    rank: 9,
  },
  /** A burst, then silence. */
  death: {
    layers: [hiss(2_600, 90, 620, 1, 0.6), pop(220, 30, 560, 1)],
    everyMs: 1_000,
    rank: 9,
  },
  warning: { layers: [glass(880, 180, 0.6), glass(880, 180, 0.6, 240)], everyMs: 700, rank: 8 },
  button: { layers: [pop(620, 880, 45, 0.25)], everyMs: 40, rank: 2 },
} as const satisfies { readonly [name: string]: Sound };

export type SoundName = keyof typeof SOUNDS;

/** Small things sound high, large ones low: the factor for the pitch of something of this radius. */
export function pitchOf(radius: number): number {
  return Math.min(1.7, Math.max(0.6, 1.7 - 0.34 * Math.log2(Math.max(10, radius) / 10)));
}

/** From −1 (left) to 1 (right), by the place on the screen; never quite to one side. */
export function panOf(xPx: number, widthPx: number): number {
  return Math.min(0.8, Math.max(-0.8, ((xPx / Math.max(1, widthPx)) * 2 - 1) * 0.8));
}
