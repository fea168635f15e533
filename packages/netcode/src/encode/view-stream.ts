import type { Tide } from '@engulf/sim/tide';
import { type ChunkRect, clearRect, createChunkRect } from '../format/chunk-rect.ts';
import { KIND_BITS } from '../format/message-format.ts';
import { createSentPortals, forgetPortals, type SentPortals } from '../format/portal-wave.ts';
import { createSentTide, forgetTide } from '../format/tide-state.ts';
import type { WorldHeader } from '../format/world-header.ts';
import { NOBODY } from '../view.ts';

/** What one receiver has been sent so far. Spectators with the same view may share a stream. */
export type ViewStream = {
  isFullDue: boolean;
  sequence: number;
  /** The tick of the last message. */
  tick: number;
  /** How many bodies it knows of, which those are, and the generations of their slots. */
  count: number;
  bodies: Uint16Array;
  generations: Uint32Array;
  /** Per kind of body, that of the last one that came into view. */
  readonly lastRadius: Uint16Array;
  /** Per player, the versions of its row that were sent. */
  readonly identityVersion: Uint32Array;
  readonly rewardVersion: Uint32Array;
  readonly chunks: ChunkRect;
  /** Those of them that have changed since they went out of sight, which the receiver must not learn from. */
  readonly staleChunks: Set<number>;
  readonly portals: SentPortals;
  /** Where the receiver believes the water to be, at the tick of the last message. */
  readonly tide: Tide;
  own: number;
  primaryBody: number;
  primaryGeneration: number;
  acknowledged: number;
};

/** Few views hold more bodies than this; their streams grow. */
const FIRST_CAPACITY = 64;

export function createViewStream({ header }: { readonly header: WorldHeader }): ViewStream {
  const { maxPlayers } = header;
  return {
    isFullDue: true,
    sequence: 0,
    tick: 0,
    count: 0,
    bodies: new Uint16Array(FIRST_CAPACITY),
    generations: new Uint32Array(FIRST_CAPACITY),
    lastRadius: new Uint16Array(1 << KIND_BITS),
    identityVersion: new Uint32Array(maxPlayers),
    rewardVersion: new Uint32Array(maxPlayers),
    chunks: createChunkRect(),
    staleChunks: new Set(),
    portals: createSentPortals(),
    tide: createSentTide(),
    own: NOBODY,
    primaryBody: -1,
    primaryGeneration: 0,
    acknowledged: 0,
  };
}

/** Resets a stream for another receiver of the same arena. */
export function recycleStream(stream: ViewStream): ViewStream {
  resetStream(stream);
  requestFull(stream);
  stream.sequence = 0;
  stream.tick = 0;
  return stream;
}

/** Makes room for more bodies. */
export function reserveBodies(stream: ViewStream, count: number): void {
  if (count <= stream.bodies.length) return;
  const capacity = 2 ** Math.ceil(Math.log2(count));
  const { bodies, generations } = stream;
  stream.bodies = new Uint16Array(capacity);
  stream.bodies.set(bodies);
  stream.generations = new Uint32Array(capacity);
  stream.generations.set(generations);
}

/** Makes the next message a full snapshot, for a client that is out of sync or joins a shared stream. */
export function requestFull(stream: ViewStream): void {
  stream.isFullDue = true;
}

/** Forgets what was sent, so that the next message is a full snapshot. */
export function resetStream(stream: ViewStream): void {
  stream.isFullDue = false;
  stream.count = 0;
  stream.lastRadius.fill(0);
  stream.identityVersion.fill(0);
  stream.rewardVersion.fill(0);
  clearRect(stream.chunks);
  stream.staleChunks.clear();
  forgetPortals(stream.portals);
  forgetTide(stream.tide);
  stream.own = NOBODY;
  stream.primaryBody = -1;
  stream.primaryGeneration = 0;
  stream.acknowledged = 0;
}
