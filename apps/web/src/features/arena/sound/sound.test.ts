// @vitest-environment happy-dom
import { standardRules } from '@engulf/sim/rules';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { settings } from '../../../shared/settings.ts';
import { aBody, aFrame, aPlayer } from '../../../testing/arena-fixtures.ts';
import { createArenaEvents } from '../net/events.ts';
import { humHz } from './ambience.ts';
import { dangerNear, hearArena } from './hear-arena.ts';
import { type Layer, panOf, pitchOf, SOUNDS, type SoundName } from './sounds.ts';
import type { Synth } from './synth.ts';
import { createVoices, lengthMs, MAX_VOICES } from './voices.ts';

describe('the table of sounds', () => {
  test.each(Object.keys(SOUNDS) as SoundName[])('%s is audible, short and free of zeros', (name) => {
    const { layers } = SOUNDS[name];
    for (const layer of layers) {
      // An exponential ramp cannot start or end at zero.
      expect(Math.min(layer.fromHz, layer.toHz, layer.gain, layer.attackMs)).toBeGreaterThan(0);
      expect(layer.lengthMs).toBeGreaterThan(layer.attackMs);
    }
    expect(lengthMs(name)).toBeLessThan(2_500);
  });

  test('large prey sounds lower than small prey', () => {
    expect(pitchOf(10)).toBeGreaterThan(pitchOf(40));
    expect(pitchOf(40)).toBeGreaterThan(pitchOf(200));
    expect(pitchOf(1e9)).toBeGreaterThan(0.5);
  });

  test('stereo follows the place on the screen', () => {
    expect(panOf(0, 1000)).toBeCloseTo(-0.8);
    expect(panOf(500, 1000)).toBe(0);
    expect(panOf(5_000, 1000)).toBeCloseTo(0.8);
  });
});

/** The loudest 100 ms of a sound's tones, in decibels. */
function loudnessDb(name: SoundName, gain = 1): number {
  const rate = 8_000;
  const samples = new Float64Array((lengthMs(name) / 1000) * rate + 1);
  const layers: readonly Layer[] = SOUNDS[name].layers;
  for (const layer of layers) {
    if (layer.wave === 'noise') continue;
    const start = ((layer.delayMs ?? 0) / 1000) * rate;
    const length = (layer.lengthMs / 1000) * rate;
    const attack = (layer.attackMs / 1000) * rate;
    let phase = 0;
    for (let at = 0; at < length && start + at < samples.length; at++) {
      phase += (layer.fromHz * (layer.toHz / layer.fromHz) ** (at / length)) / rate;
      const level = at < attack ? at / attack : (0.0001 / layer.gain) ** ((at - attack) / (length - attack));
      const wave =
        layer.wave === 'sine' ? Math.sin(2 * Math.PI * phase) : 4 * Math.abs((phase % 1) - 0.5) - 1;
      samples[Math.floor(start + at)]! += gain * layer.gain * level * wave;
    }
  }
  const window = rate / 10;
  let loudest = 0;
  for (let from = 0; from < samples.length; from += window / 4) {
    const part = samples.subarray(from, from + window);
    loudest = Math.max(loudest, part.reduce((sum, sample) => sum + sample * sample, 0) / window);
  }
  return 10 * Math.log10(loudest);
}

describe('the mix', () => {
  test('what a player wins is louder than what threatens it', () => {
    const danger = loudnessDb('danger');
    expect(loudnessDb('kill')).toBeGreaterThan(danger + 6);
    expect(loudnessDb('eat', 0.8)).toBeGreaterThan(danger);
  });

  test('danger can be heard on the speakers of a laptop', () => {
    const { layers } = SOUNDS.danger;
    const heard = layers.filter(
      ({ fromHz, toHz }) => Math.min(fromHz, toHz) >= 200 && Math.max(fromHz, toHz) <= 400,
    );
    expect(heard.length).toBeGreaterThanOrEqual(2);
  });

  test('the ambience is deeper for a larger cell', () => {
    expect(humHz(40)).toBe(220);
    expect(humHz(1_000)).toBeLessThan(humHz(200));
    expect(humHz(1e9)).toBe(110);
  });
});

describe('voices', () => {
  test('a sound is not repeated too soon', () => {
    const voices = createVoices();
    expect(voices.admit('eat', 0)).toBe(true);
    expect(voices.admit('eat', 10)).toBe(false);
    expect(voices.admit('eat', 60)).toBe(true);
  });

  test('when all are taken, only something more important gets one', () => {
    const voices = createVoices();
    const stops = Array.from({ length: MAX_VOICES }, () => vi.fn());
    stops.forEach((stop, index) => {
      expect(voices.admit('eat', index * 100)).toBe(true);
      voices.hold('eat', 100_000, stop);
    });
    expect(voices.admit('eat', 5_000)).toBe(false);
    expect(voices.admit('death', 5_000)).toBe(true);
    expect(stops.filter(({ mock }) => mock.calls.length > 0)).toHaveLength(1);
    expect(voices.admit('eat', 200_000)).toBe(true);
  });
});

describe('the arena to the ear', () => {
  afterEach(() => {
    settings.reset('audioVolume');
    settings.reset('isMuted');
  });

  function listen() {
    const synth = {
      play: vi.fn(),
      setVolume: vi.fn(),
      setMood: vi.fn(),
      unlock: vi.fn(),
      dispose: vi.fn(),
    } satisfies Synth;
    const events = createArenaEvents();
    return { synth, events, ears: hearArena(events, synth) };
  }

  test('events of the room have their sounds', () => {
    const { synth, events, ears } = listen();
    const over = (cause: 'portal' | 'eaten') =>
      events.publish({
        type: 'gameOver',
        payload: { stats: { reward: '1', finalMass: 1, usdValue: null }, cause, killer: null },
      });
    events.publish({ type: 'split', cellCount: 2 });
    events.publish({ type: 'split', cellCount: 9 });
    events.publish({ type: 'ejected' });
    events.publish({ type: 'portalPhase', phase: 'warning' });
    events.publish({ type: 'portalPhase', phase: 'active' });
    events.publish({ type: 'countdown', countdown: { kind: 'hidden', secondsLeft: 9 } });
    over('portal');
    over('eaten');
    expect(synth.play.mock.calls.map(([name]) => name)).toEqual([
      'split',
      'burst',
      'eject',
      'portalWarning',
      'portalLive',
      'warning',
      'cashOut',
      'death',
    ]);
    ears.stop();
    expect(synth.dispose).toHaveBeenCalledOnce();
  });

  test('the volume follows the setting, and muting silences it', () => {
    const { synth, ears } = listen();
    expect(synth.setVolume).toHaveBeenLastCalledWith(0.2, 0.15);
    settings.write('audioVolume', 0.73);
    expect(synth.setVolume).toHaveBeenLastCalledWith(0.73, 0.15);
    settings.write('isMuted', true);
    expect(synth.setVolume).toHaveBeenLastCalledWith(0, 0);
    ears.stop();
  });

  test('the first gesture unlocks the sound', () => {
    const { synth, ears } = listen();
    window.dispatchEvent(new Event('pointerdown'));
    expect(synth.unlock).toHaveBeenCalled();
    ears.stop();
  });
});

describe('danger', () => {
  const own = aBody({ player: aPlayer('MoonYolk') });
  const other = (x: number, radius: number) => aBody({ id: 2, x, radius, player: aPlayer('OozeLord') });

  test('is a larger cell nearby, and nearer is louder', () => {
    const near = dangerNear(aFrame({ cells: [other(160, 90)] }), own)!;
    const far = dangerNear(aFrame({ cells: [other(200, 90)] }), own)!;
    expect(near.closeness).toBeGreaterThan(far.closeness);
  });

  test('begins at the size from which a cell can eat the own one', () => {
    const { massRatio } = standardRules.eating;
    const isDanger = (ratio: number) =>
      dangerNear(
        aFrame({ cells: [other(120, own.radius * ratio ** (standardRules.size.eighths / 8))] }),
        own,
      ) !== undefined;
    expect(isDanger(massRatio * 1.01)).toBe(true);
    expect(isDanger(massRatio * 0.99)).toBe(false);
  });

  test('is not a cell of the same size, one far away, or a sibling', () => {
    for (const cell of [
      other(110, 52),
      other(900, 90),
      aBody({ id: 3, x: 60, radius: 90, player: own.player }),
    ]) {
      expect(dangerNear(aFrame({ cells: [cell] }), own)).toBeUndefined();
    }
  });
});
