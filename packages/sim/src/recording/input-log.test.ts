import { expect, test } from 'vitest';
import { numberedKey } from '../keys.ts';
import { findPlayer, type PlayerId } from '../players.ts';
import { quietRules } from '../testing/arena-builder.ts';
import { createInputLog, hashLogged, isLogged, logCommand, logStep, watchInputs } from './input-log.ts';
import { seenBytes } from './input-statement.ts';
import { applyRecorded, startRecordedMatch, stepRecorded } from './recorder.ts';

/* Whoever plays a recording keeps a log of everybody. What a room takes for known must be known there at the same moment. */

const match = startRecordedMatch({ key: numberedKey(3), rules: quietRules, spill: 0n }, () => {});
const { world, inputs: room } = match;
const verifier = createInputLog('all');

function join(): PlayerId {
  const joined = applyRecorded(match, { type: 'join', stake: 1n });
  if (!joined.ok) throw new Error('nobody could join');
  return joined.player!;
}

function play(steps: number): void {
  for (let count = 0; count < steps; count++) {
    logStep(verifier, world);
    stepRecorded(match);
  }
}

function claimOf(player: PlayerId, from: number, to: number) {
  const seen = new Uint8Array(seenBytes(from, to));
  seen[(to - from - 1) >> 3] = 1 << ((to - from - 1) & 7);
  return { player, from, to, seen, delayTicks: 0 };
}

test('what was done is forgotten by room and verifier at the same step', () => {
  const player = join();
  watchInputs(room, world, player);
  play(2_100);
  const oldest = world.clock.tick - 2_047;
  const claim = claimOf(player, oldest, oldest + 500);
  expect(hashLogged(room, claim)).toEqual(hashLogged(verifier, claim));
  expect([isLogged(room, claim), isLogged(verifier, claim)]).toEqual([true, true]);
  play(1);
  expect([isLogged(room, claim), isLogged(verifier, claim)]).toEqual([false, false]);
});

test.each(['before the next step', 'with a key of the own', 'by splitting'])(
  'whoever takes the slot of a dead player ends what is known of that one, %s',
  (how) => {
    const dead = join();
    watchInputs(room, world, dead);
    play(600);
    const claim = claimOf(dead, world.clock.tick - 500, world.clock.tick);
    const slot = findPlayer(world.players, dead);
    applyRecorded(match, { type: 'disconnect', player: dead });
    while (findPlayer(world.players, dead) >= 0) play(1);
    expect([isLogged(room, claim), isLogged(verifier, claim)]).toEqual([true, true]);
    const next = join();
    expect(findPlayer(world.players, next)).toBe(slot);
    if (how.startsWith('with')) watchInputs(room, world, next);
    if (how.startsWith('by')) {
      const split = { type: 'split', player: next } as const;
      applyRecorded(match, split);
      logCommand(verifier, world, split);
    } else play(1);
    expect([isLogged(room, claim), isLogged(verifier, claim)]).toEqual([false, false]);
  },
);
