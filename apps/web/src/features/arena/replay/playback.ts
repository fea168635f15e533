import { type ArenaFrame, captureFrame, createArenaFrame } from '@engulf/netcode/encode/arena-frame';
import { encodeView } from '@engulf/netcode/encode/encode-view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/netcode/encode/view-stream';
import { type DescribePlayer, forgetDescriptions } from '@engulf/netcode/format/player-rows';
import { aimAtWorld, createViewer, type Viewer } from '@engulf/netcode/view';
import { createWorld } from '@engulf/sim/create-world';
import type { MatchKey } from '@engulf/sim/keys';
import { type PlayerId, playerId } from '@engulf/sim/players';
import type { RecordingFault } from '@engulf/sim/recording/bytes';
import {
  finishSegment,
  hasSteps,
  playSegment,
  type SegmentPlayer,
  stepSegment,
} from '@engulf/sim/recording/replay';
import { loadWorld } from '@engulf/sim/snapshot';
import type { World } from '@engulf/sim/world';
import type { OpenedRecording } from '@engulf/verify/open-recording';

/** An update of the arena as a spectator's client would get it from a room. */
export type Update = { readonly tick: number; readonly bytes: Uint8Array };

type PlayerCard = ReturnType<DescribePlayer>;

export type PlaybackOptions = {
  readonly recording: OpenedRecording;
  readonly key: MatchKey;
  readonly describe: (player: PlayerId, bounty: bigint) => PlayerCard;
};

/** A recording that is played from any moment on. It yields what a room would have sent to somebody who watches. */
export type Playback = ReturnType<typeof createPlayback>;

/** One place in the recording, and the arena as it was there. */
type Place = {
  readonly world: World;
  readonly frame: ArenaFrame;
  readonly stream: ViewStream;
  readonly viewer: Viewer;
  segmentIndex: number;
  player: SegmentPlayer | undefined;
};

export function createPlayback({ recording, key, describe }: PlaybackOptions) {
  const { rules, spill } = recording.header;
  const lastTick = recording.end.finalTick;
  let place = placeAt(createWorld({ key, rules, spill }), 0);

  return {
    get tick() {
      return place.world.clock.tick;
    },
    get isOver() {
      return place.world.clock.tick >= lastTick;
    },
    seek,
    advance,
    /** A full update of where the playback stands. */
    show: (): Update => {
      requestFull(place.stream);
      return update();
    },
    /** Names may have become known. */
    describeAgain: () => {
      forgetDescriptions(place.frame.playerRows);
      captureFrame(place.frame);
    },
  };

  /** Goes to a tick, from the last keyframe before it or from where it stands. */
  async function seek(tick: number): Promise<void> {
    const { tick: now } = place.world.clock;
    const start = await lastKeyframe(tick);
    if (tick < now || start.tick > now) place = placeAt(start.world(), start.segmentIndex);
    while (place.world.clock.tick < Math.min(tick, lastTick)) if (!(await stepOnce())) break;
  }

  /** Plays up to a tick. Every `stride`th tick becomes an update. */
  async function advance(toTick: number, stride: number): Promise<Update[]> {
    const updates: Update[] = [];
    while (place.world.clock.tick < Math.min(toTick, lastTick)) {
      if (!(await stepOnce())) break;
      const { tick } = place.world.clock;
      if (tick % stride === 0 || tick === lastTick) updates.push(update());
    }
    return updates;
  }

  function update(): Update {
    return { tick: place.frame.tick, bytes: encodeView(place.frame, place.stream, place.viewer).slice() };
  }

  async function stepOnce(): Promise<boolean> {
    for (;;) {
      place.player ??= await openSegment(place.segmentIndex);
      if (!place.player) return false;
      if (hasSteps(place.player)) break;
      finishSegment(place.world, place.player);
      place.player = undefined;
      place.segmentIndex++;
    }
    // Whether it fits is for the check to say; here it is only shown.
    stepSegment(place.world, place.player);
    captureFrame(place.frame);
    return true;
  }

  async function openSegment(index: number): Promise<SegmentPlayer | undefined> {
    return index < recording.segmentCount
      ? playSegment(contentOf(await recording.segment(index)))
      : undefined;
  }

  /** The keyframe to begin with, and how to load it; the start of the match if there is none. */
  async function lastKeyframe(tick: number) {
    for (let index = await segmentAt(recording, tick); index > 0; index--) {
      const { keyframe, startTick } = contentOf(await recording.segment(index));
      if (!keyframe) continue;
      return { tick: startTick, segmentIndex: index, world: () => loadWorld(keyframe, rules, key) };
    }
    return { tick: 0, segmentIndex: 0, world: () => createWorld({ key, rules, spill }) };
  }

  function placeAt(world: World, segmentIndex: number): Place {
    const { players } = world;
    const frame = createArenaFrame(world, (slot) => describe(playerId(players, slot), players.bounty[slot]!));
    const viewer = createViewer();
    aimAtWorld(viewer, frame.header.worldSize);
    return { world, frame, stream: createViewStream(frame), viewer, segmentIndex, player: undefined };
  }
}

/** The last segment that begins at or before a tick. */
async function segmentAt(recording: OpenedRecording, tick: number): Promise<number> {
  let low = 0;
  let high = recording.segmentCount - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (contentOf(await recording.segment(middle)).startTick <= tick) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

export class DamagedRecording extends Error {}

export function contentOf<Content>(
  result:
    | { readonly ok: true; readonly value: Content }
    | { readonly ok: false; readonly error: RecordingFault },
): Content {
  if (result.ok) return result.value;
  throw new DamagedRecording(`${result.error.problem} at byte ${result.error.position}`);
}
