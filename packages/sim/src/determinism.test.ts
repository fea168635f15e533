import { describe, expect, test } from 'vitest';
import { replay } from './recording.ts';
import { hashWorld } from './snapshot.ts';
import { determinismHash, recordMatch } from './testing/recorded-match.ts';

const STEPS = 10_000;

describe('determinism', () => {
  test('the same seed and inputs give the same state after 10,000 steps, even when saved and restored half way', () => {
    const straight = determinismHash(11, STEPS);
    expect(determinismHash(11, STEPS)).toBe(straight);
    expect(determinismHash(11, STEPS, { saveAt: STEPS / 2 })).toBe(straight);
    expect(determinismHash(12, STEPS)).not.toBe(straight);
  });

  test('a recording replays to the same state and events', () => {
    const { recording, world, events } = recordMatch(21, 4000);
    const replayed: unknown[] = [];
    const again = replay(recording, 4000, (happened) => replayed.push(...happened));
    expect(hashWorld(again)).toBe(hashWorld(world));
    expect(replayed).toEqual(events);
  });

  test('a damaged recording is detected', () => {
    const { recording } = recordMatch(21, 200);
    const [first, ...rest] = recording.commands;
    expect(first?.command.type).toBe('setPopulation');
    const damaged = {
      ...recording,
      commands: [first!, { tick: 3, command: { type: 'join', stake: -1n } as const }, ...rest],
    };
    expect(() => replay(damaged, 200)).toThrow('damaged');
  });
});
