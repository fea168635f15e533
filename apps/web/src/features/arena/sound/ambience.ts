export type Mood = { readonly mass: number; readonly danger: number };

export type Ambience = {
  setVolume(volume: number): void;
  setMood(mood: Mood | undefined): void;
};

/** How quickly it follows, in seconds. */
const FOLLOWS_S = 0.9;
/** Two tones a fifth apart; the second beats against the first in danger. */
const FIFTH = 1.5;
const BEAT_HZ = 7;

/** A hum that is deeper the larger the own cell is, and beats and grows when somebody dangerous is near. */
export function createAmbience(context: AudioContext, output: AudioNode): Ambience {
  const bus = context.createGain();
  bus.gain.value = 0;
  const presence = context.createGain();
  presence.gain.value = 0;
  const tones = [1, FIFTH, 1].map((ratio) => {
    const tone = context.createOscillator();
    tone.type = 'triangle';
    tone.frequency.value = humHz(40) * ratio;
    tone.connect(presence);
    tone.start();
    return tone;
  });
  presence.connect(bus).connect(output);
  const follow = (parameter: AudioParam, value: number) =>
    parameter.setTargetAtTime(value, context.currentTime, FOLLOWS_S);
  return {
    setVolume: (volume) => follow(bus.gain, volume),
    setMood(mood) {
      follow(presence.gain, mood ? 0.08 + 0.1 * mood.danger : 0);
      if (!mood) return;
      const hz = humHz(mood.mass);
      const [ground, fifth, beat] = tones;
      follow(ground!.frequency, hz);
      follow(fifth!.frequency, hz * FIFTH);
      follow(beat!.frequency, hz + BEAT_HZ * mood.danger);
    },
  };
}

/** From 220 Hz for a small cell down to 110 Hz for the largest. */
export function humHz(mass: number): number {
  return Math.max(110, Math.min(220, 220 - 16 * Math.log2(Math.max(40, mass) / 40)));
}
