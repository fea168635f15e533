import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from './commands.ts';
import type { PlayerId } from './players.ts';
import { type Recording, replay } from './recording.ts';
import { readRecording, writeRecording } from './recording-format.ts';
import { standardRules } from './rules.ts';
import { hashWorld } from './snapshot.ts';
import { recordMatch } from './testing/recorded-match.ts';

const EMPTY: Recording = { seed: 7, rules: standardRules, spill: 12n, commands: [] };

const textOf = (recording: Recording) => [...writeRecording(recording)].join('');

function read(text: string): Recording {
  const recording = readRecording(text);
  if (!recording.ok) throw new Error(recording.error);
  return recording.value;
}

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const player = fc.nat().map((id) => id as PlayerId);
const coordinate = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant('join' as const), stake: u64 }),
  fc.record({ type: fc.constant('steer' as const), player, x: coordinate, y: coordinate }),
  fc.record({ type: fc.constantFrom('split' as const, 'eject' as const), player }),
  fc.record({ type: fc.constantFrom('disconnect' as const, 'reconnect' as const), player }),
  fc.record({ type: fc.constant('setPopulation' as const), count: fc.nat() }),
  fc.record({ type: fc.constant('close' as const), inSeconds: coordinate }),
  fc.record({
    type: fc.constant('end' as const),
    reason: fc.constantFrom('closed' as const, 'fault' as const),
  }),
);
const recording: fc.Arbitrary<Recording> = fc.record({
  seed: fc.nat(),
  rules: fc.constant(standardRules),
  spill: u64,
  commands: fc.array(fc.record({ tick: fc.nat(), command })),
});

describe('the recording format', () => {
  test('reads back every recording it writes', () => {
    fc.assert(
      fc.property(recording, (original) => {
        expect(read(textOf(original))).toEqual(original);
      }),
    );
  });

  test('keeps a match that replays to the same world', () => {
    const match = recordMatch(21, 2_000);
    const world = replay(read(textOf(match.recording)), 2_000);
    expect(hashWorld(world)).toBe(hashWorld(match.world));
  });

  test('writes a long match in pieces that join to one text', () => {
    const steer = { type: 'steer', player: 1 as PlayerId, x: 5, y: 0 } as const;
    const commands = Array.from({ length: 5_000 }, (_, tick) => ({ tick, command: steer }));
    const pieces = [...writeRecording({ ...EMPTY, commands })];
    expect(pieces.length).toBeGreaterThan(3);
    expect(read(pieces.join('')).commands).toEqual(commands);
  });

  const plain = (changes: object) => {
    const written: object = JSON.parse(textOf(EMPTY));
    return JSON.stringify({ ...written, ...changes });
  };
  const withCommand = (changes: object) => plain({ commands: [{ tick: 0, command: changes }] });

  test.each([
    ['text that is not JSON', '{"format":1,', 'not JSON'],
    ['another format', plain({ format: 2 }), 'format'],
    ['a recording from before formats were numbered', plain({ format: undefined }), 'format'],
    ['an unknown field', plain({ extra: 1 }), 'extra'],
    ['an amount that is a plain number', plain({ spill: 12 }), 'spill'],
    ['a negative amount', plain({ spill: '-1n' }), 'spill'],
    ['a missing rule', plain({ rules: {} }), 'stepsPerSecond'],
    ['an unknown command', withCommand({ type: 'teleport', player: 1 }), 'command'],
    ['a command with a missing field', withCommand({ type: 'steer', player: 1, x: 0 }), 'command'],
    ['a command with an unknown field', withCommand({ type: 'split', player: 1, twice: true }), 'command'],
    [
      'a fractional tick',
      plain({ commands: [{ tick: 0.5, command: { type: 'end', reason: 'fault' } }] }),
      'tick',
    ],
  ])('refuses %s', (_name, text, complaint) => {
    const result = readRecording(text);
    expect(result.ok ? 'accepted' : result.error).toContain(complaint);
  });
});
