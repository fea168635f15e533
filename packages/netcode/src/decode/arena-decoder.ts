import { type ChunkRect, clearRect, createChunkRect } from '../format/chunk-rect.ts';
import { KIND_BITS } from '../format/message-format.ts';
import { createSentTide, forgetTide } from '../format/tide-state.ts';
import { createTracks, type Tracks } from '../format/tracks.ts';
import type { ArenaUpdate, ArenaView, Group } from './arena-view.ts';

/** A client's end of a view stream. */
export type ArenaDecoder = {
  readonly view: ArenaView;
  /** What the last applied message changed. */
  readonly update: ArenaUpdate;
  tracks: Tracks;
  readonly chunks: ChunkRect;
  /** Per kind of body, that of the last one that came into view. */
  readonly lastRadius: Uint16Array;
  sequence: number;
  /** Only a full snapshot can be applied: none has arrived yet, or a message was lost or corrupt. */
  isLost: boolean;
  nextBodyId: number;
};

export function createArenaDecoder(): ArenaDecoder {
  return {
    view: createArenaView(),
    update: createArenaUpdate(),
    tracks: createTracks(0),
    chunks: createChunkRect(),
    lastRadius: new Uint16Array(1 << KIND_BITS),
    sequence: 0,
    isLost: true,
    nextBodyId: 1,
  };
}

/** Makes room for a full snapshot of a world with up to `maxBodies` bodies. */
export function forgetAll(decoder: ArenaDecoder, maxBodies: number): void {
  const { view, tracks, chunks } = decoder;
  view.players.clear();
  view.bodies.length = 0;
  view.food.clear();
  view.portals.length = 0;
  forgetTide(view.tide);
  view.own = undefined;
  view.primary = undefined;
  view.acknowledged = 0;
  clearRect(chunks);
  decoder.lastRadius.fill(0);
  tracks.count = 0;
  if (tracks.x.length < maxBodies) decoder.tracks = createTracks(maxBodies);
}

export function clearUpdate({ players, cells, massFood, viruses, food, portals }: ArenaUpdate): void {
  for (const group of [players, cells, massFood, viruses, food, portals]) {
    group.add.length = 0;
    group.update.length = 0;
    group.remove.length = 0;
  }
}

function createArenaView(): ArenaView {
  return {
    world: undefined,
    tick: 0,
    players: new Map(),
    bodies: [],
    food: new Map(),
    portals: [],
    portalPhase: 'idle',
    portalPhaseEndsAtTick: 0,
    tide: createSentTide(),
    own: undefined,
    primary: undefined,
    acknowledged: 0,
  };
}

function createArenaUpdate(): ArenaUpdate {
  return {
    type: 'full',
    tick: 0,
    players: createGroup(),
    cells: createGroup(),
    massFood: createGroup(),
    viruses: createGroup(),
    food: createGroup(),
    portals: createGroup(),
  };
}

function createGroup<Entity>(): Group<Entity> {
  return { add: [], update: [], remove: [] };
}
