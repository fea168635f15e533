import { type ArenaUpdate, type ArenaView, createArenaUpdate, createArenaView } from './arena-view.ts';
import { type ChunkRect, createChunkRect } from './chunk-rect.ts';
import { createTracks, type Tracks } from './tracks.ts';

/** A client's end of a view stream. */
export type ArenaDecoder = {
  readonly view: ArenaView;
  /** What the last message that was applied changed. */
  readonly update: ArenaUpdate;
  tracks: Tracks;
  readonly chunks: ChunkRect;
  sequence: number;
  /** Nothing but a full snapshot can be applied: none has come yet, or a message was lost or spoiled. */
  isLost: boolean;
  nextBodyId: number;
};

export function createArenaDecoder(): ArenaDecoder {
  return {
    view: createArenaView(),
    update: createArenaUpdate(),
    tracks: createTracks(0),
    chunks: createChunkRect(),
    sequence: 0,
    isLost: true,
    nextBodyId: 1,
  };
}
