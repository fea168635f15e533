import { describe, expect, test } from 'vitest';
import {
  createConnectionWatch,
  judgeConnection,
  noteBroken,
  noteHeard,
  noteVisibility,
} from './connection-watch.ts';

function playing(untilMs: number) {
  const watch = createConnectionWatch(false, 10_000, 0);
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 40) noteHeard(watch, nowMs);
  return watch;
}

describe('a player', () => {
  test('has eight seconds after one second of silence', () => {
    const watch = playing(10_000);
    expect(judgeConnection(watch, 10_900)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 11_100)).toEqual({ kind: 'lost', secondsLeft: 8 });
    expect(judgeConnection(watch, 18_000)).toEqual({ kind: 'lost', secondsLeft: 2 });
    expect(judgeConnection(watch, 19_100)).toEqual({ kind: 'disconnected' });
  });

  test('is safe once updates return, and the next silence starts a new countdown', () => {
    const watch = playing(10_000);
    judgeConnection(watch, 12_000);
    noteHeard(watch, 15_000);
    expect(judgeConnection(watch, 15_100)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 16_200)).toEqual({ kind: 'lost', secondsLeft: 8 });
  });

  test('has a grace period for silence but not for a broken connection', () => {
    const watch = createConnectionWatch(false, 10_000, 0);
    noteHeard(watch, 100);
    expect(judgeConnection(watch, 4_000)).toEqual({ kind: 'fine' });
    noteBroken(watch, 4_000);
    expect(judgeConnection(watch, 4_000)).toEqual({ kind: 'lost', secondsLeft: 8 });
    noteHeard(watch, 5_000);
    expect(judgeConnection(watch, 5_050)).toEqual({ kind: 'fine' });
  });

  test('may hide the tab for ten seconds', () => {
    const watch = playing(60_000);
    noteVisibility(watch, true, 50_000);
    expect(judgeConnection(watch, 50_001)).toEqual({ kind: 'hidden', secondsLeft: 10 });
    noteVisibility(watch, false, 55_000);
    expect(judgeConnection(watch, 55_000)).toEqual({ kind: 'fine' });
    noteVisibility(watch, true, 49_000);
    expect(judgeConnection(watch, 59_500)).toEqual({ kind: 'disconnected' });
  });
});

test('how long a tab may be hidden is for the operator to say, and 0 is for ever', () => {
  const patient = createConnectionWatch(false, 60_000, 0);
  noteVisibility(patient, true, 0);
  expect(judgeConnection(patient, 1)).toEqual({ kind: 'hidden', secondsLeft: 60 });
  expect(judgeConnection(patient, 60_001)).toEqual({ kind: 'disconnected' });
  const indifferent = createConnectionWatch(false, 0, 0);
  noteVisibility(indifferent, true, 0);
  expect(judgeConnection(indifferent, 100_000)).toEqual({ kind: 'fine' });
});

describe('a spectator', () => {
  test('gets no countdown and leaves after 15 s of silence', () => {
    const watch = createConnectionWatch(true, 10_000, 0);
    noteHeard(watch, 1_000);
    noteVisibility(watch, true, 1_000);
    expect(judgeConnection(watch, 15_000)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 16_100)).toEqual({ kind: 'leave' });
  });
});
