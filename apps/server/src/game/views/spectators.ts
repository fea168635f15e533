import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { ArenaFrame } from '@engulf/netcode/encode/arena-frame';
import { encodeView } from '@engulf/netcode/encode/encode-view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/netcode/encode/view-stream';
import { aimAtWorld, createViewer, type Viewer } from '@engulf/netcode/view';
import { STATE_MESSAGES } from '@engulf/protocol/room/state-messages';
import type { World } from '@engulf/sim/world';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';

/** The people who watch. They all see the whole world, so one encoding serves them all. */
export type Spectators = {
  readonly frame: ArenaFrame;
  readonly stream: ViewStream;
  readonly viewer: Viewer;
  readonly byConnection: Map<Connection, Spectator>;
  readonly delaySeconds: number;
  /** Updates that are not due yet, oldest first. */
  readonly delayed: Update[];
  fullAllowedAtTick: number;
};

type Update = { readonly dueTick: number; readonly isFull: boolean; readonly bytes: Uint8Array };

type Spectator = {
  readonly userId: UserId;
  /** False until the next full snapshot: deltas mean nothing without one. */
  isInSync: boolean;
};

export type SpectatorRefusal = Failure<'ACTIVE_SESSION_EXISTS' | 'EXISTING_SESSION_DETECTED' | 'LOBBY_FULL'>;

export function createSpectators(frame: ArenaFrame, delaySeconds: number): Spectators {
  const viewer = createViewer();
  aimAtWorld(viewer, frame.header.worldSize);
  return {
    frame,
    stream: createViewStream(frame),
    viewer,
    byConnection: new Map(),
    delaySeconds,
    delayed: [],
    fullAllowedAtTick: 0,
  };
}

/**
 * Adds a spectator who holds no seat in the match: seeing the whole arena would be an advantage. Reconnecting asks
 * again, because a spectator may have taken a seat in between, and others the spectator's place.
 */
export function addSpectator(
  spectators: Spectators,
  userId: UserId,
  connection: Connection,
  seatState: 'waiting' | 'playing' | undefined,
): Result<undefined, SpectatorRefusal> {
  if (seatState === 'playing') return err(failure('ACTIVE_SESSION_EXISTS'));
  if (seatState === 'waiting') return err(failure('EXISTING_SESSION_DETECTED'));
  const { byConnection } = spectators;
  const inText = [...byConnection.keys()].filter(({ isText }) => isText);
  const isFull =
    byConnection.size >= ROOM_LIMITS.maxSpectators ||
    (connection.isText && inText.length >= ROOM_LIMITS.maxTextSpectators);
  if (isFull || connectionsOf(spectators, userId).length >= ROOM_LIMITS.maxSpectatorsPerUser) {
    return err(failure('LOBBY_FULL'));
  }
  byConnection.set(connection, { userId, isInSync: false });
  return ok(undefined);
}

export function removeSpectator({ byConnection }: Spectators, connection: Connection): void {
  byConnection.delete(connection);
}

/** A user who takes a seat stops watching. */
export function kickSpectator(spectators: Spectators, userId: UserId): void {
  for (const connection of connectionsOf(spectators, userId)) {
    removeSpectator(spectators, connection);
    connection.kick('You joined this lobby as a player');
  }
}

/** For a client that is out of sync: it gets the next full snapshot. */
export function resyncSpectator({ byConnection }: Spectators, connection: Connection): void {
  const spectator = byConnection.get(connection);
  if (spectator) spectator.isInSync = false;
}

/** Call after every step; sends at its own, slower rate. */
export function sendToSpectators(spectators: Spectators, world: World): void {
  const { frame, stream, viewer, byConnection, delayed, delaySeconds } = spectators;
  const { clock, rules } = world;
  if (!isUpdateTick(world)) return;
  if (byConnection.size === 0) {
    delayed.length = 0;
    requestFull(stream);
    return;
  }
  if (needsFull(spectators, clock.tick)) {
    requestFull(stream);
    spectators.fullAllowedAtTick = clock.tick + rules.stepsPerSecond;
  }
  const isFull = stream.isFullDue;
  const dueTick = clock.tick + delaySeconds * rules.stepsPerSecond;
  delayed.push({ dueTick, isFull, bytes: encodeView(frame, stream, viewer).slice() });
  while (delayed.length > 0 && delayed[0]!.dueTick <= clock.tick) send(spectators, delayed.shift()!);
}

function connectionsOf({ byConnection }: Spectators, userId: UserId): Connection[] {
  return [...byConnection]
    .filter(([, spectator]) => spectator.userId === userId)
    .map(([connection]) => connection);
}

/** A full snapshot goes to everyone, so at most one a second, however many are asked for. */
function needsFull({ byConnection, delayed, fullAllowedAtTick }: Spectators, tick: number): boolean {
  if (tick < fullAllowedAtTick || delayed.some(({ isFull }) => isFull)) return false;
  for (const [connection, { isInSync }] of byConnection) {
    if (!isInSync && connection.canTakeState()) return true;
  }
  return false;
}

function send({ byConnection }: Spectators, { isFull, bytes }: Update): void {
  const { full, update, delta } = STATE_MESSAGES.spectator;
  for (const [connection, spectator] of byConnection) {
    if (!spectator.isInSync && !isFull) continue;
    const type = !isFull ? delta : spectator.isInSync ? update : full;
    spectator.isInSync = connection.canTakeState();
    if (spectator.isInSync) connection.sendState(type, bytes);
  }
}

function isUpdateTick({ clock, rules }: World): boolean {
  const share = ROOM_LIMITS.spectatorUpdatesPerSecond / rules.stepsPerSecond;
  return Math.floor(clock.tick * share) !== Math.floor((clock.tick - 1) * share);
}
