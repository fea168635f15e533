import type { ArenaFrame } from '@engulf/protocol/codec/arena-frame';
import { encodeView } from '@engulf/protocol/codec/encode-view';
import { aimAtWorld, createViewer, type Viewer } from '@engulf/protocol/codec/view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/protocol/codec/view-stream';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import type { World } from '@engulf/sim/world';
import type { Connection } from './connection.ts';
import { ROOM_LIMITS } from './room-limits.ts';

/** Spectators all see the whole world, so one encoding serves them all. */
export type Gallery = {
  readonly stream: ViewStream;
  readonly viewer: Viewer;
  /** Those who follow the stream, and those who wait for a full snapshot to begin with. */
  readonly following: Set<Connection>;
  readonly waiting: Set<Connection>;
  fullAllowedAtTick: number;
};

export function createGallery(frame: ArenaFrame): Gallery {
  const viewer = createViewer();
  aimAtWorld(viewer, frame.header.worldSize);
  return {
    stream: createViewStream(frame),
    viewer,
    following: new Set(),
    waiting: new Set(),
    fullAllowedAtTick: 0,
  };
}

/** Also for a spectator that lost the thread. */
export function seatSpectator({ following, waiting }: Gallery, connection: Connection): void {
  following.delete(connection);
  waiting.add(connection);
}

export function unseatSpectator({ following, waiting }: Gallery, connection: Connection): void {
  following.delete(connection);
  waiting.delete(connection);
}

export function countSpectators({ following, waiting }: Gallery): number {
  return following.size + waiting.size;
}

/** To be called after every step; sends at its own, slower pace. */
export function sendGallery(gallery: Gallery, frame: ArenaFrame, world: World): void {
  const { stream, viewer, following } = gallery;
  if (!isDue(world)) return;
  admitWaiting(gallery, world);
  if (following.size === 0) return;
  const { full, delta } = STATE_MESSAGES.spectator;
  const type = stream.isFullDue ? full : delta;
  const bytes = encodeView(frame, stream, viewer);
  for (const connection of following) {
    if (connection.canTakeState()) connection.sendState(type, bytes);
    else seatSpectator(gallery, connection);
  }
}

/** A full snapshot goes to everybody, so that a slow or spiteful spectator can ask for no more than one a second. */
function admitWaiting(gallery: Gallery, { clock, rules }: World): void {
  const { stream, following, waiting } = gallery;
  if (clock.tick < gallery.fullAllowedAtTick) return;
  const ready = [...waiting].filter((connection) => connection.canTakeState());
  if (ready.length === 0) return;
  for (const connection of ready) {
    waiting.delete(connection);
    following.add(connection);
  }
  requestFull(stream);
  gallery.fullAllowedAtTick = clock.tick + rules.stepsPerSecond;
}

function isDue({ clock, rules }: World): boolean {
  const share = ROOM_LIMITS.spectatorUpdatesPerSecond / rules.stepsPerSecond;
  return Math.floor(clock.tick * share) !== Math.floor((clock.tick - 1) * share);
}
