import { describe, expect, test } from 'vitest';
import { createWorld } from './create-world.ts';
import { numberedKey } from './keys.ts';
import { replaySegment } from './recording/replay.ts';
import { readSegment, type Segment } from './recording/segment.ts';
import { standardRules } from './rules.ts';
import { hashWorld, loadWorld } from './snapshot.ts';
import { determinismHash, recordMatch } from './testing/recorded-match.ts';

const STEPS = 4_000;

function read(bytes: Uint8Array): Segment {
  const segment = readSegment(bytes);
  if (!segment.ok) throw new Error(segment.error.problem);
  return segment.value;
}

describe('determinism', () => {
  test('the same key and inputs give the same state after minutes, even when saved and restored half way', () => {
    const straight = determinismHash(11, STEPS);
    expect(determinismHash(11, STEPS)).toBe(straight);
    expect(determinismHash(11, STEPS, { saveAt: STEPS / 2 })).toBe(straight);
    expect(determinismHash(12, STEPS)).not.toBe(straight);
  });

  test('a recording replays to the same state and events', () => {
    const { segments, world, events } = recordMatch(21, 4000);
    const replayed: unknown[] = [];
    const again = createWorld({ key: numberedKey(21) });
    for (const bytes of segments) {
      expect(replaySegment(again, read(bytes), (happened) => replayed.push(...happened))).toBeUndefined();
    }
    expect(hashWorld(again)).toBe(hashWorld(world));
    expect(replayed).toEqual(events);
  });

  test('a viewer can begin at a keyframe', () => {
    const segments = recordMatch(21, 4000).segments.map(read);
    const first = segments.findIndex(({ keyframe }) => keyframe);
    expect(segments[first]!.startTick).toBe(1_500);
    const world = loadWorld(segments[first]!.keyframe!, standardRules, numberedKey(21));
    for (const segment of segments.slice(first)) expect(replaySegment(world, segment)).toBeUndefined();
  });

  test('a command that the arena refuses shows that a recording is damaged', () => {
    const [first] = recordMatch(21, 200).segments.map(read);
    const forged = { after: 3, command: { type: 'join', stake: -1n } as const };
    const commands = [...first!.commands, forged].sort((a, b) => a.after - b.after);
    const world = createWorld({ key: numberedKey(21) });
    expect(replaySegment(world, { ...first!, commands })).toEqual({
      tick: 3,
      what: 'a recorded command is refused: outOfRange',
    });
  });
});
