import type { UserId } from '@engulf/domain/ids';
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
  readonly spectators: Map<Connection, Spectator>;
  fullAllowedAtTick: number;
};

type Spectator = {
  readonly userId: UserId;
  /** False while it waits for a full snapshot to begin with. */
  isFollowing: boolean;
};

export function createGallery(frame: ArenaFrame): Gallery {
  const viewer = createViewer();
  aimAtWorld(viewer, frame.header.worldSize);
  return { stream: createViewStream(frame), viewer, spectators: new Map(), fullAllowedAtTick: 0 };
}

export function seatSpectator({ spectators }: Gallery, connection: Connection, userId: UserId): void {
  spectators.set(connection, { userId, isFollowing: false });
}

/** For a spectator that lost the thread. */
export function restartSpectator({ spectators }: Gallery, connection: Connection): void {
  const spectator = spectators.get(connection);
  if (spectator) spectator.isFollowing = false;
}

export function unseatSpectator({ spectators }: Gallery, connection: Connection): void {
  spectators.delete(connection);
}

export function countSpectators({ spectators }: Gallery): number {
  return spectators.size;
}

/** The connections through which one user watches. */
export function placesOf({ spectators }: Gallery, userId: UserId): Connection[] {
  return [...spectators].filter(([, spectator]) => spectator.userId === userId).map(([place]) => place);
}

/** To be called after every step; sends at its own, slower pace. */
export function sendGallery(gallery: Gallery, frame: ArenaFrame, world: World): void {
  const { stream, viewer, spectators } = gallery;
  if (!isDue(world)) return;
  admitWaiting(gallery, world);
  const following = [...spectators].filter(([, { isFollowing }]) => isFollowing);
  if (following.length === 0) return;
  const { full, delta } = STATE_MESSAGES.spectator;
  const type = stream.isFullDue ? full : delta;
  const bytes = encodeView(frame, stream, viewer);
  for (const [connection, spectator] of following) {
    if (connection.canTakeState()) connection.sendState(type, bytes);
    else spectator.isFollowing = false;
  }
}

/** A full snapshot goes to everybody, so that a slow or spiteful spectator can ask for no more than one a second. */
function admitWaiting(gallery: Gallery, { clock, rules }: World): void {
  if (clock.tick < gallery.fullAllowedAtTick) return;
  const ready = [...gallery.spectators].filter(
    ([connection, { isFollowing }]) => !isFollowing && connection.canTakeState(),
  );
  if (ready.length === 0) return;
  for (const [, spectator] of ready) spectator.isFollowing = true;
  requestFull(gallery.stream);
  gallery.fullAllowedAtTick = clock.tick + rules.stepsPerSecond;
}

function isDue({ clock, rules }: World): boolean {
  const share = ROOM_LIMITS.spectatorUpdatesPerSecond / rules.stepsPerSecond;
  return Math.floor(clock.tick * share) !== Math.floor((clock.tick - 1) * share);
}
