import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { ArenaFrame } from '@engulf/netcode/arena-frame';
import { encodeView } from '@engulf/netcode/encode-view';
import { aimAtWorld, createViewer, type Viewer } from '@engulf/netcode/view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/netcode/view-stream';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import type { World } from '@engulf/sim/world';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';

/** Spectators all see the whole world, so one encoding serves them all. */
export type Gallery = {
  readonly stream: ViewStream;
  readonly viewer: Viewer;
  readonly spectators: Map<Connection, Spectator>;
  readonly delaySeconds: number;
  /** Updates on their way, oldest first. */
  readonly held: Update[];
  fullAllowedAtTick: number;
};

type Update = { readonly dueTick: number; readonly isFull: boolean; readonly bytes: Uint8Array };

type Spectator = {
  readonly userId: UserId;
  /** False while it waits for a full snapshot to begin with. */
  isFollowing: boolean;
};

export function createGallery(frame: ArenaFrame, delaySeconds: number): Gallery {
  const viewer = createViewer();
  aimAtWorld(viewer, frame.header.worldSize);
  return {
    stream: createViewStream(frame),
    viewer,
    spectators: new Map(),
    delaySeconds,
    held: [],
    fullAllowedAtTick: 0,
  };
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
  const { stream, viewer, spectators, held } = gallery;
  const { clock, rules } = world;
  if (!isDue(world)) return;
  if (spectators.size === 0) {
    held.length = 0;
    requestFull(stream);
    return;
  }
  if (isFullWanted(gallery, clock.tick)) {
    requestFull(stream);
    gallery.fullAllowedAtTick = clock.tick + rules.stepsPerSecond;
  }
  const isFull = stream.isFullDue;
  const dueTick = clock.tick + gallery.delaySeconds * rules.stepsPerSecond;
  held.push({ dueTick, isFull, bytes: encodeView(frame, stream, viewer) });
  while (held.length > 0 && held[0]!.dueTick <= clock.tick) send(gallery, held.shift()!);
}

/** A full snapshot goes to everybody, so that a slow or spiteful spectator can ask for no more than one a second. */
function isFullWanted({ spectators, held, fullAllowedAtTick }: Gallery, tick: number): boolean {
  if (tick < fullAllowedAtTick || held.some(({ isFull }) => isFull)) return false;
  for (const [connection, { isFollowing }] of spectators) {
    if (!isFollowing && connection.canTakeState()) return true;
  }
  return false;
}

function send({ spectators }: Gallery, { isFull, bytes }: Update): void {
  const { full, delta } = STATE_MESSAGES.spectator;
  for (const [connection, spectator] of spectators) {
    if (!spectator.isFollowing && !isFull) continue;
    spectator.isFollowing = connection.canTakeState();
    if (spectator.isFollowing) connection.sendState(isFull ? full : delta, bytes);
  }
}

function isDue({ clock, rules }: World): boolean {
  const share = ROOM_LIMITS.spectatorUpdatesPerSecond / rules.stepsPerSecond;
  return Math.floor(clock.tick * share) !== Math.floor((clock.tick - 1) * share);
}
