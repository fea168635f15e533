import { expect, test } from 'vitest';
import { numberedKey } from '../keys.ts';
import { type PlayerId, slotOfId } from '../players.ts';
import { POINTER_STEP } from '../pointer.ts';
import { quietRules } from '../testing/arena-builder.ts';
import { applyRecorded, finishRecording, pointAt, startRecordedMatch, stepRecorded } from './recorder.ts';
import { readSegment } from './segment.ts';

function record() {
  const segments: Uint8Array[] = [];
  const match = startRecordedMatch({ key: numberedKey(1), rules: quietRules }, (bytes) =>
    segments.push(bytes),
  );
  const joined = applyRecorded(match, { type: 'join', stake: 0n });
  const player = (joined.ok && joined.player) as PlayerId;
  const play = (steps: number, x: (step: number) => number) => {
    for (let step = 0; step < steps; step++) {
      pointAt(match, player, x(step) * POINTER_STEP, 0);
      stepRecorded(match);
    }
  };
  const tracks = () =>
    segments.map((bytes) => (readSegment(bytes) as { value: { tracks: readonly unknown[] } }).value.tracks);
  return { match, player, play, tracks };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test('a segment holds every pointer that moved, however long it is', () => {
  const { match, player, play, tracks } = record();
  // Keeps the segment open.
  match.hasJoined = false;
  play(500, (step) => step + 1);
  match.hasJoined = true;
  finishRecording(match);
  const x = upTo(500).map((step) => (step + 1) * POINTER_STEP);
  expect(tracks()).toEqual([[{ player, after: upTo(500), x, y: x.map(() => 0) }]]);
});

test('nothing of one segment is in the next', () => {
  const { match, player, play, tracks } = record();
  play(125, (step) => step + 1);
  play(2, (step) => 300 + step);
  finishRecording(match);
  const [, second] = tracks();
  expect(second).toEqual([{ player, after: [0, 1], x: [300 * POINTER_STEP, 301 * POINTER_STEP], y: [0, 0] }]);
});

test('somebody who is gone does not steer the player who has the same slot now', () => {
  const { match, player: gone, tracks } = record();
  applyRecorded(match, { type: 'disconnect', player: gone });
  const { departure, stepsPerSecond } = quietRules;
  for (let step = 0; step <= departure.graceSeconds * stepsPerSecond; step++) stepRecorded(match);
  const joined = applyRecorded(match, { type: 'join', stake: 0n });
  const player = (joined.ok && joined.player) as PlayerId;
  expect(slotOfId(player)).toBe(slotOfId(gone));
  pointAt(match, player, 40, 80);
  pointAt(match, gone, -400, -800);
  stepRecorded(match);
  finishRecording(match);
  expect(tracks().flat()).toEqual([expect.objectContaining({ player, x: [40], y: [80] })]);
});
