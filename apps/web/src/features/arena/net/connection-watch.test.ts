import { describe, expect, test } from 'vitest';
import {
  createConnectionWatch,
  excuseSilence,
  isRejoinDue,
  judgeConnection,
  noteBroken,
  noteConnected,
  noteHeard,
  noteVisibility,
} from './connection-watch.ts';

const asPlayer = { isSpectator: false, tabHiddenTimeoutMs: 10_000, stateDelayMs: 0 };
const asSpectator = { ...asPlayer, isSpectator: true };

function playing(untilMs: number) {
  const watch = createConnectionWatch(asPlayer, 0);
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 40) noteHeard(watch, nowMs);
  return watch;
}

describe('a player', () => {
  test('has eight seconds after one second of silence', () => {
    const watch = playing(10_000);
    expect(judgeConnection(watch, 10_900)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 11_100)).toEqual({ kind: 'lost', secondsLeft: 8 });
    expect(judgeConnection(watch, 18_000)).toEqual({ kind: 'lost', secondsLeft: 2 });
    expect(judgeConnection(watch, 19_100)).toEqual({ kind: 'disconnected', wasHidden: false });
  });

  test('is safe once updates return, and the next silence starts a new countdown', () => {
    const watch = playing(10_000);
    judgeConnection(watch, 12_000);
    noteHeard(watch, 15_000);
    expect(judgeConnection(watch, 15_100)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 16_200)).toEqual({ kind: 'lost', secondsLeft: 8 });
  });

  test('has a grace period for silence but not for a broken connection', () => {
    const watch = createConnectionWatch(asPlayer, 0);
    noteHeard(watch, 100);
    expect(judgeConnection(watch, 4_000)).toEqual({ kind: 'fine' });
    noteBroken(watch, 4_000);
    expect(judgeConnection(watch, 4_000)).toEqual({ kind: 'lost', secondsLeft: 8 });
    noteHeard(watch, 5_000);
    expect(judgeConnection(watch, 5_050)).toEqual({ kind: 'fine' });
  });

  test('who receives nothing from the start also gets a countdown', () => {
    const watch = createConnectionWatch(asPlayer, 0);
    expect(judgeConnection(watch, 4_900)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 5_100)).toEqual({ kind: 'lost', secondsLeft: 8 });
    expect(judgeConnection(watch, 13_200)).toEqual({ kind: 'disconnected', wasHidden: false });
  });

  test('who has not asked for anything yet gets no countdown, unless the connection breaks', () => {
    const watch = createConnectionWatch(asPlayer, 0);
    excuseSilence(watch, 20_000);
    expect(judgeConnection(watch, 20_100)).toEqual({ kind: 'fine' });
    noteBroken(watch, 20_200);
    excuseSilence(watch, 20_300);
    expect(judgeConnection(watch, 20_300)).toEqual({ kind: 'lost', secondsLeft: 8 });
  });

  test('joins again when the connection has been silent or broken for a while, and gives each new one some time', () => {
    const watch = playing(10_000);
    expect(isRejoinDue(watch, 11_400)).toBe(false);
    expect(isRejoinDue(watch, 11_600)).toBe(true);
    noteConnected(watch, 11_700);
    expect(isRejoinDue(watch, 13_100)).toBe(false);
    expect(isRejoinDue(watch, 13_300)).toBe(true);
    expect(judgeConnection(watch, 13_300)).toMatchObject({ kind: 'lost' });
    noteHeard(watch, 13_400);
    noteBroken(watch, 13_400);
    expect(isRejoinDue(watch, 14_800)).toBe(false);
    expect(isRejoinDue(watch, 15_000)).toBe(true);
  });

  test('may hide the tab for ten seconds', () => {
    const watch = playing(60_000);
    noteVisibility(watch, true, 50_000);
    expect(judgeConnection(watch, 50_001)).toEqual({ kind: 'hidden', secondsLeft: 10 });
    noteVisibility(watch, false, 55_000);
    expect(judgeConnection(watch, 55_000)).toEqual({ kind: 'fine' });
    noteVisibility(watch, true, 49_000);
    expect(judgeConnection(watch, 59_500)).toEqual({ kind: 'disconnected', wasHidden: true });
  });
});

test('how long a tab may be hidden is for the operator to say, and 0 is for ever', () => {
  const patient = createConnectionWatch({ ...asPlayer, tabHiddenTimeoutMs: 60_000 }, 0);
  noteVisibility(patient, true, 0);
  expect(judgeConnection(patient, 1)).toEqual({ kind: 'hidden', secondsLeft: 60 });
  expect(judgeConnection(patient, 60_001)).toEqual({ kind: 'disconnected', wasHidden: true });
  const indifferent = createConnectionWatch({ ...asPlayer, tabHiddenTimeoutMs: 0 }, 0);
  noteVisibility(indifferent, true, 0);
  noteHeard(indifferent, 99_900);
  expect(judgeConnection(indifferent, 100_000)).toEqual({ kind: 'fine' });
});

describe('a spectator', () => {
  test('gets no countdown and leaves after 15 s of silence', () => {
    const watch = createConnectionWatch(asSpectator, 0);
    noteHeard(watch, 1_000);
    noteVisibility(watch, true, 1_000);
    expect(judgeConnection(watch, 15_000)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 16_100)).toEqual({ kind: 'leave' });
  });

  test('who receives nothing from the start leaves 15 s after the first update was due', () => {
    const watch = createConnectionWatch({ ...asSpectator, stateDelayMs: 10_000 }, 0);
    expect(isRejoinDue(watch, 11_400)).toBe(false);
    expect(isRejoinDue(watch, 11_600)).toBe(true);
    expect(judgeConnection(watch, 24_900)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 25_100)).toEqual({ kind: 'leave' });
  });

  test('who has joined again waits for the delayed update', () => {
    const watch = createConnectionWatch({ ...asSpectator, stateDelayMs: 10_000 }, 0);
    noteHeard(watch, 20_000);
    noteBroken(watch, 20_000);
    noteConnected(watch, 28_000);
    expect(isRejoinDue(watch, 39_000)).toBe(false);
    expect(judgeConnection(watch, 39_000)).toEqual({ kind: 'fine' });
    expect(judgeConnection(watch, 45_100)).toEqual({ kind: 'leave' });
  });
});
