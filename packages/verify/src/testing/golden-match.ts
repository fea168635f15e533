import { deflateRawSync } from 'node:zlib';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { epochAt } from '@engulf/sim/epochs';
import {
  commitmentOf,
  keysUpTo,
  lastSecret,
  type MatchKey,
  matchKeyOf,
  numberedKey,
  secretOf,
} from '@engulf/sim/keys';
import { awaitsBeacon, canPledge, decidingSlot } from '@engulf/sim/mechanics/beacons';
import { type PlayerId, playerId } from '@engulf/sim/players';
import { createRandom, type Random, randomBelow, randomBetween } from '@engulf/sim/random';
import {
  FIRST_LINK,
  type FrameKind,
  RECORDING_VERSION,
  writeEnd,
  writeFrame,
} from '@engulf/sim/recording/frames';
import { writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { freeLobbyRules, type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';

const SECRET = numberedKey(77);
const KNOWN = lastSecret(SECRET);
const PUBLIC_PART = { slot: 4_711n, blockhash: numberedKey(78) };
const BOND = {
  release: '0.1.0+golden',
  receiptKey: numberedKey(80),
  anchor: { signature: new Uint8Array(64).fill(7), previous: numberedKey(81) },
};
const TICKS = 1_800;
const SPILL = 1_000_009n;
const BOTS = 12;
/** Short epochs, so that there are some. */
const RULES: Rules = { ...freeLobbyRules, beacons: standardRules.beacons, epochs: { seconds: 20 } };

/** What the golden recordings of every version are replayed with. Until version 5 there was one key for the whole match. */
export function goldenKey(version: number): MatchKey {
  return version < 6 ? matchKeyOf(SECRET, PUBLIC_PART) : keysUpTo(KNOWN, PUBLIC_PART);
}

/** What would be published after the last one. */
export const GOLDEN_SECRET = secretOf(KNOWN, epochAt(RULES, TICKS));

/**
 * A match under the rules of free lobbies of this version, but with blocks that place the portals, long enough for a keyframe and a wave of portals, in which everything
 * is commanded that can be. Its bytes are kept in golden/ when a version is released: later versions must replay them.
 */
export function recordGoldenMatch(): Uint8Array {
  const frames: Uint8Array[] = [];
  let link = FIRST_LINK;
  const write = (kind: FrameKind, body: Uint8Array) => {
    const packed = new Uint8Array(deflateRawSync(body, { level: 9 }));
    const frame = writeFrame({ kind, packing: 'deflate', bodyLength: body.length, packed }, link);
    link = frame.link;
    frames.push(frame.bytes);
  };
  const about = {
    commitment: commitmentOf(secretOf(KNOWN, 0)),
    publicPart: PUBLIC_PART,
    spill: SPILL,
    rules: RULES,
    bond: BOND,
  };
  write('header', writeHeader({ matchId: 'golden', ...about }));
  const match = startRecordedMatch(
    { key: goldenKey(RECORDING_VERSION), spill: SPILL, rules: RULES },
    (body) => write('segment', body),
  );
  const script = createRandom(numberedKey(79));
  applyRecorded(match, { type: 'setPopulation', count: BOTS });
  for (let tick = 0; tick < TICKS; tick++) {
    if (tick % 300 === 0) join(match, `entry-${tick}`, tick % 600 === 0);
    if (tick === 700) applyRecorded(match, { type: 'truce', seconds: 4 });
    keyPortals(match);
    for (let i = randomBelow(script, 3); i > 0; i--) act(match, script);
    stepRecorded(match);
  }
  applyRecorded(match, { type: 'end', reason: 'closed' });
  step(match.world);
  finishRecording(match);
  write('end', writeEnd({ finalTick: match.world.clock.tick, isCut: false }));
  return new Uint8Array(Buffer.concat(frames));
}

/** As a server does: the block is there some seconds before the wave. */
function keyPortals(match: RecordedMatch): void {
  const { world } = match;
  const wave = world.portals.wave + 1;
  const slot = 4_800n + BigInt(Math.floor(world.clock.tick / 10));
  if (canPledge(world)) {
    applyRecorded(match, { type: 'pledge', wave, newest: slot, decides: decidingSlot(world, slot) });
  } else if (awaitsBeacon(world) && slot > world.beacons.decides) {
    applyRecorded(match, { type: 'beacon', wave, slot, blockhash: numberedKey(82 + wave) });
  }
}

function join(match: RecordedMatch, entry: string, isNewcomer: boolean): void {
  const about = { stake: 1_000_000n, entry: entry as EntryId };
  applyRecorded(match, { type: 'join', ...about, ...(isNewcomer ? { isNewcomer } : {}) });
}

function act(match: RecordedMatch, script: Random): void {
  const { players } = match.world;
  const player: PlayerId = playerId(players, randomBelow(script, Math.max(1, players.top)));
  const draw = randomBelow(script, 100);
  if (draw < 1) applyRecorded(match, { type: 'disconnect', player });
  else if (draw < 4) applyRecorded(match, { type: 'reconnect', player });
  else if (draw < 5) applyRecorded(match, { type: 'testMass', player });
  else if (draw < 15) applyRecorded(match, { type: 'split', player });
  else if (draw < 35) applyRecorded(match, { type: 'eject', player });
  else pointAt(match, player, randomBetween(script, -900, 900), randomBetween(script, -900, 900));
}
