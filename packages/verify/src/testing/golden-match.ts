import { deflateRawSync } from 'node:zlib';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { commitmentOf, matchKeyOf, numberedKey } from '@engulf/sim/keys';
import { type PlayerId, playerId } from '@engulf/sim/players';
import { createRandom, type Random, randomBelow, randomBetween } from '@engulf/sim/random';
import { FIRST_LINK, type FrameKind, writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';

const SECRET = numberedKey(77);
const PUBLIC_PART = { slot: 4_711n, blockhash: numberedKey(78) };
const TICKS = 1_800;
const SPILL = 1_000_009n;
const BOTS = 12;

/** The key that the golden recordings of every version are replayed with. */
export const GOLDEN_KEY = matchKeyOf(SECRET, PUBLIC_PART);

/**
 * A match under the standard rules of this version, long enough for a keyframe and a wave of portals, in which everything
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
    commitment: commitmentOf(SECRET),
    publicPart: PUBLIC_PART,
    spill: SPILL,
    rules: standardRules,
  };
  write('header', writeHeader({ matchId: 'golden', ...about }));
  const match = startRecordedMatch({ key: GOLDEN_KEY, spill: SPILL }, (body) => write('segment', body));
  const script = createRandom(numberedKey(79));
  applyRecorded(match, { type: 'setPopulation', count: BOTS });
  for (let tick = 0; tick < TICKS; tick++) {
    if (tick % 300 === 0) join(match, `entry-${tick}`);
    if (tick === 700) applyRecorded(match, { type: 'truce', seconds: 4 });
    for (let i = randomBelow(script, 3); i > 0; i--) act(match, script);
    stepRecorded(match);
  }
  applyRecorded(match, { type: 'end', reason: 'closed' });
  step(match.world);
  finishRecording(match);
  write('end', writeEnd({ finalTick: match.world.clock.tick, isCut: false }));
  return new Uint8Array(Buffer.concat(frames));
}

function join(match: RecordedMatch, entry: string): void {
  applyRecorded(match, { type: 'join', stake: 1_000_000n, entry: entry as EntryId });
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
