import { type Ambience, createAmbience, type Mood } from './ambience.ts';
import { type Layer, SOUNDS, type SoundName } from './sounds.ts';
import { createVoices, lengthMs } from './voices.ts';

export type Synth = {
  play(
    name: SoundName,
    options?: { readonly pan?: number; readonly pitch?: number; readonly gain?: number },
  ): void;
  /** 0 to 1, of what happens and of what is always there. */
  setVolume(volume: number, ambienceVolume?: number): void;
  /** What the ambience follows; undefined for silence. `danger` is 1 when it touches. */
  setMood(mood: Mood | undefined): void;
  /** Browsers let a page sound only after the player has done something. */
  unlock(): void;
  dispose(): void;
};

const NOISE_S = 1;
const SILENCE = 0.0001;

/** Plays the table of sounds with Web Audio: no files, nothing to load. */
export function createSynth(): Synth {
  const voices = createVoices();
  let context: AudioContext | undefined;
  let master: GainNode | undefined;
  let noise: AudioBuffer | undefined;
  let volume = 0;
  let ambience: Ambience | undefined;
  let wantedAmbience = 0;

  return {
    play(name, { pan = 0, pitch = 1, gain = 1 } = {}) {
      if (!context || !master || volume === 0 || context.state !== 'running') return;
      const nowMs = context.currentTime * 1000;
      if (!voices.admit(name, nowMs)) return;
      const place = context.createStereoPanner();
      place.pan.value = pan;
      const output = context.createGain();
      output.gain.value = gain;
      output.connect(place).connect(master);
      for (const layer of SOUNDS[name].layers) startLayer(context, output, layer, pitch);
      const length = lengthMs(name);
      voices.hold(name, nowMs + length, () => output.disconnect());
      // Nodes that stay connected are never freed.
      setTimeout(() => place.disconnect(), length + 200);
    },
    setVolume(next, ambienceVolume = 0) {
      volume = next;
      ambience?.setVolume(ambienceVolume);
      wantedAmbience = ambienceVolume;
      if (master && context) master.gain.setTargetAtTime(next, context.currentTime, 0.02);
    },
    unlock() {
      if (context) {
        if (context.state === 'suspended') void context.resume();
        return;
      }
      context = new AudioContext({ latencyHint: 'interactive' });
      master = context.createGain();
      master.gain.value = volume;
      // Many sounds at once must not clip.
      const limiter = context.createDynamicsCompressor();
      master.connect(limiter).connect(context.destination);
      noise = paintNoise(context);
      ambience = createAmbience(context, limiter);
      ambience.setVolume(wantedAmbience);
    },
    setMood(mood) {
      ambience?.setMood(mood);
    },
    dispose() {
      void context?.close();
      context = undefined;
    },
  };

  function startLayer(audio: AudioContext, output: AudioNode, layer: Layer, pitch: number): void {
    const { wave, fromHz, toHz, attackMs, gain, narrowness = 1, delayMs = 0 } = layer;
    const startS = audio.currentTime + delayMs / 1000;
    const endS = startS + layer.lengthMs / 1000;
    const envelope = audio.createGain();
    envelope.gain.setValueAtTime(SILENCE, startS);
    envelope.gain.exponentialRampToValueAtTime(gain, startS + attackMs / 1000);
    envelope.gain.exponentialRampToValueAtTime(SILENCE, endS);
    envelope.connect(output);
    const glide = (frequency: AudioParam) => {
      frequency.setValueAtTime(fromHz * pitch, startS);
      frequency.exponentialRampToValueAtTime(toHz * pitch, endS);
    };
    if (wave === 'noise') {
      const source = audio.createBufferSource();
      source.buffer = noise ?? null;
      const filter = audio.createBiquadFilter();
      filter.type = 'bandpass';
      filter.Q.value = narrowness;
      glide(filter.frequency);
      source.connect(filter).connect(envelope);
      source.start(startS, Math.random() * (NOISE_S / 4));
      source.stop(endS);
      return;
    }
    const tone = audio.createOscillator();
    tone.type = wave;
    glide(tone.frequency);
    tone.connect(envelope);
    tone.start(startS);
    tone.stop(endS);
  }
}

function paintNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate * NOISE_S, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
