import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberedKey, recogniseSecret, secretOf, toHex } from '@engulf/sim/keys';
import type { ReadHeader } from '@engulf/sim/recording/header';
import { tickMark } from '@engulf/sim/recording/tick-mark';
import { hashState, loadWorld } from '@engulf/sim/snapshot';
import { type OpenedRecording, openRecording } from '../open-recording.ts';
import { wavesOf } from '../waves.ts';
import { GOLDEN_SECRET } from './golden-match.ts';

/** What would have been published of the golden recording after its end. */
function goldenSecret({ commitment, rules }: Pick<ReadHeader, 'commitment' | 'rules'>) {
  const known = recogniseSecret(GOLDEN_SECRET, commitment)!;
  const secrets = Array.from({ length: known.epoch + 1 }, (_, epoch) => toHex(secretOf(known, epoch)));
  return { epoch: known.epoch, epochSeconds: rules.epochs.seconds, secrets };
}

/** What a reader finds in the golden recordings. */
export async function recordingOf(version: number) {
  const name = `version-${version}.recording`;
  const opened = await openRecording(readFileSync(join(import.meta.dirname, 'golden', name)));
  if (!opened.ok) throw new Error(opened.error.problem);
  const { header, end, finalHash, segmentCount } = opened.value;
  const first = await opened.value.segment(0);
  if (!first.ok) throw new Error(first.error.problem);
  const { startTick, tickCount, commands, tracks, marks, stateHash } = first.value;
  return {
    file: `packages/verify/src/testing/golden/${name}`,
    header: {
      matchId: header.matchId,
      commitment: toHex(header.commitment),
      slot: header.publicPart?.slot,
      blockhash: header.publicPart && toHex(header.publicPart.blockhash),
      spill: header.spill,
      rulesCharacters: header.rulesText.length,
      ...(version < 5 ? {} : bondOf(header)),
    },
    ...(version < 6 ? {} : { secret: goldenSecret(opened.value.header) }),
    segmentCount,
    waves: (await wavesOf(opened.value)).map(({ block, ...named }) => ({
      ...named,
      block: block && { tick: block.tick, slot: block.slot, blockhash: toHex(block.blockhash) },
    })),
    firstSegment: {
      startTick,
      tickCount,
      commandCount: commands.length,
      commands: commands.slice(0, 8),
      trackCount: tracks.length,
      firstTrack: tracks[0] && {
        ...tracks[0],
        after: [...tracks[0].after].slice(0, 8),
        x: [...tracks[0].x].slice(0, 8),
        y: [...tracks[0].y].slice(0, 8),
      },
      marks: [...marks].slice(0, 8),
      stateHash: toHex(stateHash),
    },
    firstKeyframe: await keyframeOf(opened.value),
    end,
    finalHash: toHex(finalHash),
  };
}

function bondOf({ bond: { release, receiptKey, anchor } }: ReadHeader) {
  return {
    release,
    receiptKey: receiptKey && toHex(receiptKey),
    anchor: anchor && { signature: toHex(anchor.signature), previous: toHex(anchor.previous) },
  };
}

/** The saved world at the beginning of a segment, which is what the segment before it has the hash of. */
async function keyframeOf({ header, segment, segmentCount }: OpenedRecording) {
  for (let index = 0; index < segmentCount; index++) {
    const read = await segment(index);
    if (!read.ok || !read.value.keyframe) continue;
    const { keyframe } = read.value;
    const world = loadWorld(keyframe, header.rules, numberedKey(0));
    const { clock, money, portals, players, bodies, food, random } = world;
    return {
      segment: index,
      bytes: keyframe.length,
      stateHash: toHex(hashState(keyframe)),
      mark: tickMark(world),
      tick: clock.tick,
      money: { ...money },
      portals: { ...portals, x: [...portals.x], y: [...portals.y] },
      livingCount: players.livingCount,
      bountyOfSlot0: players.bounty[0],
      body0: { kind: bodies.kind[0], massMilli: bodies.massMilli[0], x: bodies.x[0], y: bodies.y[0] },
      foodCount: food.count,
      streamPositions: [...random.positions],
    };
  }
  return undefined;
}
