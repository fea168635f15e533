import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type Applied, applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { createRandom, randomBelow } from '@engulf/sim/random';
import type { RecordedCommand } from '@engulf/sim/recording/command-bytes';
import { FIRST_LINK, writeFrame } from '@engulf/sim/recording/frames';
import { type InputClaim, LEAST_RECORDED_SECONDS } from '@engulf/sim/recording/input-statement';
import { createInputWitness, type InputWitness } from '@engulf/sim/recording/input-witness';
import { applyRecorded, pointAt, startRecordedMatch, stepRecorded } from '@engulf/sim/recording/recorder';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import { createHand, moveHand } from './busy-hand.ts';

/*
 * npm run bench:recording
 *
 * The size of recordings, their cost while a match runs, and the speed of a replay. Everybody moves the mouse all the time,
 * splits and ejects; players who die come back at once.
 */

const KEY = numberedKey(1);
const LOADS = [
  { players: 25, minutes: 5 },
  { players: 200, minutes: 1 },
] as const;

const ROUNDS = 3;

console.log(
  'players   bytes/player·h   with signed inputs   MB/hour   recording, of the steps   of a core   replay',
);
for (const { players, minutes } of LOADS) {
  let segments: Uint8Array[] = [];
  let [plainMs, recordedMs, packMs, replayMs] = [Infinity, Infinity, Infinity, Infinity];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    plainMs = Math.min(plainMs, drive(plainTarget(), players, minutes));
    segments = [];
    const target = recordedTarget((segment) => segments.push(segment));
    recordedMs = Math.min(recordedMs, drive(target, players, minutes));
    packMs = Math.min(
      packMs,
      cpuMsOf(() => {
        bytes = pack(segments);
      }),
    );
    replayMs = Math.min(
      replayMs,
      cpuMsOf(() => replay(segments)),
    );
  }
  const signedSegments: Uint8Array[] = [];
  const signing = recordedTarget((segment) => signedSegments.push(segment));
  drive(signedTarget(signing), players, minutes);
  const signedShare = pack(signedSegments) / bytes - 1;
  const costMs = recordedMs - plainMs + packMs;
  const matchMs = minutes * 60_000;
  console.log(
    [
      String(players).padStart(7),
      Math.round((bytes * 60) / minutes / players)
        .toLocaleString('en')
        .padStart(17),
      `+${(100 * signedShare).toFixed(1)} %`.padStart(21),
      ((bytes * 60) / minutes / 1e6).toFixed(2).padStart(10),
      `${((100 * costMs) / plainMs).toFixed(1)} %`.padStart(26),
      `${((100 * costMs) / matchMs).toFixed(2)} %`.padStart(12),
      `${Math.round(matchMs / replayMs)} × real time`.padStart(20),
    ].join(''),
  );
}

/** A match as the load sees it. */
type Target = {
  readonly world: World;
  command(command: RecordedCommand): Applied;
  point(player: PlayerId, x: number, y: number): void;
  step(): void;
};

/** As if everybody signed every 30 seconds, and saw every update. Signatures are as random as these bytes. */
function signedTarget(target: Target): Target {
  const pages = new Map<PlayerId, { witness: InputWitness; latest: number }>();
  const everyTicks = 30 * standardRules.stepsPerSecond;
  const send = (player: PlayerId, type: 'steer' | 'split' | 'eject', x = 0, y = 0) => {
    const page = pages.get(player) ?? { witness: createInputWitness(everyTicks), latest: 0 };
    pages.set(player, page);
    page.latest = (page.latest + 1) % 256;
    page.witness.noteSent(page.latest, { type, x, y });
  };
  return {
    world: target.world,
    command: (command) => {
      if (command.type === 'split' || command.type === 'eject') send(command.player, command.type);
      return target.command(command);
    },
    point: (player, x, y) => {
      send(player, 'steer', x, y);
      target.point(player, x, y);
    },
    step: () => {
      target.step();
      const { players, clock } = target.world;
      for (const [player, { witness, latest }] of pages) {
        const alive = findPlayer(players, player) >= 0;
        const witnessed = witness.noteUpdate(clock.tick, latest, alive ? player : undefined);
        const signature = randomBytes(64);
        const claim = witnessed && isLong(witnessed.claim) ? witnessed.claim : undefined;
        if (claim) target.command({ type: 'inputs', ...claim, signature });
        if (!alive) pages.delete(player);
      }
    },
  };
}

function isLong({ from, to }: InputClaim): boolean {
  return to - from >= LEAST_RECORDED_SECONDS * standardRules.stepsPerSecond;
}

function recordedTarget(emit: (segment: Uint8Array) => void): Target {
  const match = startRecordedMatch({ key: KEY }, emit);
  return {
    world: match.world,
    command: (command) => applyRecorded(match, command),
    point: (player, x, y) => pointAt(match, player, x, y),
    step: () => void stepRecorded(match),
  };
}

function plainTarget(): Target {
  const world = createWorld({ key: KEY });
  return {
    world,
    command: (command) => applyCommand(world, command),
    point: (player, x, y) => void applyCommand(world, { type: 'steer', player, x, y }),
    step: () => void step(world),
  };
}

/** Plays the same match on any target. Returns the processor time in milliseconds. */
function drive(target: Target, count: number, minutes: number): number {
  const script = createRandom(numberedKey(2));
  const hands = Array.from({ length: count }, () => createHand(script));
  const ids: (PlayerId | undefined)[] = hands.map(() => undefined);
  const ticks = minutes * 60 * standardRules.stepsPerSecond;
  return cpuMsOf(() => {
    for (let tick = 0; tick < ticks; tick++) {
      hands.forEach((hand, index) => {
        const id = ids[index];
        if (id === undefined || findPlayer(target.world.players, id) < 0) {
          const applied = target.command({ type: 'join', stake: 50_000_000n });
          ids[index] = applied.ok ? applied.player : undefined;
          return;
        }
        moveHand(hand, script);
        // Clients send at most 20 pointers in 25 steps.
        if ((tick + index) % 5 !== 0) target.point(id, hand.x, hand.y);
        if (randomBelow(script, 150) === 0) target.command({ type: 'split', player: id });
        if (randomBelow(script, 75) === 0) target.command({ type: 'eject', player: id });
      });
      target.step();
    }
  });
}

/** Processor time, because others may use the machine as well. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function pack(segments: readonly Uint8Array[]): number {
  let link = FIRST_LINK;
  let bytes = 0;
  for (const body of segments) {
    const packed = deflateRawSync(body, { level: 6 });
    const frame = writeFrame({ kind: 'segment', packing: 'deflate', bodyLength: body.length, packed }, link);
    link = frame.link;
    bytes += frame.bytes.length;
  }
  return bytes;
}

function replay(segments: readonly Uint8Array[]): void {
  const world = createWorld({ key: KEY });
  for (const body of segments) {
    const segment = readSegment(body);
    if (!segment.ok) throw new Error(segment.error.problem);
    const difference = replaySegment(world, segment.value);
    if (difference) throw new Error(`${difference.what} at tick ${difference.tick}`);
  }
}
