import type { ArenaFrame } from './arena-frame.ts';
import { type ChunkRect, clearRect, createChunkRect } from './chunk-rect.ts';
import { createSentPortals, forgetPortals, type SentPortals } from './portal-wave.ts';
import { createTracks, type Tracks } from './tracks.ts';
import { NOBODY } from './view.ts';

/** What one receiver has been sent so far. Spectators with the same view may share a stream. */
export type ViewStream = {
  isFullDue: boolean;
  sequence: number;
  /** The tick of the last message. */
  tick: number;
  readonly tracks: Tracks;
  /** The body of each track. */
  readonly bodies: Uint16Array;
  /** Per body: the last message that it was in view for, and the generation of its slot then. */
  readonly seenInMessage: Uint32Array;
  readonly seenGeneration: Uint32Array;
  message: number;
  /** Per player, the versions of its row that were sent. */
  readonly identityVersion: Uint32Array;
  readonly rewardVersion: Uint32Array;
  readonly chunks: ChunkRect;
  readonly portals: SentPortals;
  own: number;
  primaryBody: number;
  primaryGeneration: number;
  acknowledged: number;
};

export function createViewStream(frame: ArenaFrame): ViewStream {
  const { maxBodies, maxPlayers } = frame.header;
  return {
    isFullDue: true,
    sequence: 0,
    tick: 0,
    tracks: createTracks(maxBodies),
    bodies: new Uint16Array(maxBodies),
    seenInMessage: new Uint32Array(maxBodies),
    seenGeneration: new Uint32Array(maxBodies),
    message: 1,
    identityVersion: new Uint32Array(maxPlayers),
    rewardVersion: new Uint32Array(maxPlayers),
    chunks: createChunkRect(),
    portals: createSentPortals(),
    own: NOBODY,
    primaryBody: -1,
    primaryGeneration: 0,
    acknowledged: 0,
  };
}

/** Makes the next message a full snapshot, for a client that is out of sync or joins a shared stream. */
export function requestFull(stream: ViewStream): void {
  stream.isFullDue = true;
}

/** Forgets what was sent, so that the next message is a full snapshot. */
export function resetStream(stream: ViewStream): void {
  stream.isFullDue = false;
  stream.tracks.count = 0;
  // So that no body counts as seen in the previous message.
  stream.message++;
  stream.identityVersion.fill(0);
  stream.rewardVersion.fill(0);
  clearRect(stream.chunks);
  forgetPortals(stream.portals);
  stream.own = NOBODY;
  stream.primaryBody = -1;
  stream.primaryGeneration = 0;
  stream.acknowledged = 0;
}
