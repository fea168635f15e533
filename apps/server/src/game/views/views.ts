import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { SizePx } from '@engulf/netcode/camera';
import { type ArenaFrame, captureFrame, createArenaFrame } from '@engulf/netcode/encode/arena-frame';
import { encodeView } from '@engulf/netcode/encode/encode-view';
import {
  createViewStream,
  recycleStream,
  requestFull,
  type ViewStream,
} from '@engulf/netcode/encode/view-stream';
import { aimAtPlayer, createViewer, NOBODY, type Viewer } from '@engulf/netcode/view';
import { type ConnectionQuality, QUALITY_LEVELS } from '@engulf/protocol/room/connection-quality';
import { STATE_MESSAGES } from '@engulf/protocol/room/state-messages';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import type { Logger } from 'pino';
import type { Connection } from '../connection.ts';
import { createSpectators, type Spectators, sendToSpectators } from './spectators.ts';
import { createValve, isDue, isInPace, noteLateness, type Valve } from './valve.ts';

/** What each connection is shown of the arena. */
export type Views = {
  readonly world: World;
  readonly frame: ArenaFrame;
  readonly players: Map<Connection, PlayerView>;
  readonly spectators: Spectators;
  /** Streams of players who have left, reused for newcomers. */
  readonly spareStreams: ViewStream[];
  readonly valve: Valve;
};

/** The player a view follows, and the screen it is for. Nothing is sent before the screen is known. */
type ViewSubject = {
  readonly seat: { readonly entryId: EntryId };
  readonly player: PlayerId | undefined;
  readonly screen: SizePx | undefined;
  readonly latestInput: number;
  readonly quality: ConnectionQuality;
};

type PlayerView = {
  readonly subject: ViewSubject;
  readonly stream: ViewStream;
  readonly viewer: Viewer;
  /** See valve.ts. */
  readonly turn: number;
};

export function createViews(
  world: World,
  describePlayer: Parameters<typeof createArenaFrame>[1],
  spectatorDelaySeconds: number,
): Views {
  const frame = createArenaFrame(world, describePlayer);
  return {
    world,
    frame,
    players: new Map(),
    spectators: createSpectators(frame, spectatorDelaySeconds),
    spareStreams: [],
    valve: createValve(),
  };
}

export function startView(views: Views, connection: Connection, subject: ViewSubject): void {
  const stream = views.spareStreams.pop() ?? createViewStream(views.frame);
  const turn = views.players.size % 2;
  views.players.set(connection, { subject, stream, viewer: createViewer(), turn });
}

export function endView({ players, spareStreams }: Views, connection: Connection): void {
  const view = players.get(connection);
  if (!view) return;
  players.delete(connection);
  spareStreams.push(recycleStream(view.stream));
}

/** For a client that is out of sync: the next update is a full snapshot. */
export function resyncView(views: Views, connection: Connection): void {
  const view = views.players.get(connection);
  if (view) requestFull(view.stream);
}

/** Call after every step, with how late it was. */
export function sendViews(views: Views, lateMs: number, logger: Logger): void {
  const { frame, valve, world } = views;
  captureFrame(frame);
  noteLateness(valve, lateMs);
  for (const [connection, view] of views.players) {
    const { updatesPerSecond } = QUALITY_LEVELS[view.subject.quality];
    const isOnTime =
      isDue(valve, view.turn, frame.tick) &&
      isInPace(updatesPerSecond, world.rules.stepsPerSecond, frame.tick);
    if (isOnTime) sendPlayerView(views, connection, view, logger);
  }
  sendToSpectators(views.spectators, views.world);
}

/** While the arena is paused: a snapshot for those who have none yet. */
export function sendStillViews(views: Views, logger: Logger): void {
  captureFrame(views.frame);
  for (const [connection, view] of views.players) {
    if (view.stream.isFullDue) sendPlayerView(views, connection, view, logger);
  }
}

export function countViewers({ players, spectators }: Views): number {
  return players.size + spectators.byConnection.size;
}

/** A player whose view fails is kicked and may rejoin; the others play on. */
function sendPlayerView(views: Views, connection: Connection, view: PlayerView, logger: Logger): void {
  const { screen, seat } = view.subject;
  if (!screen || !connection.canTakeState()) return;
  try {
    sendState(views, connection, view, screen);
  } catch (error) {
    logger.error({ code: 'VIEW_FAILED', err: error, entryId: seat.entryId }, 'could not send a view');
    endView(views, connection);
    connection.kick('Something went wrong. Please join again.');
  }
}

function sendState(
  { frame, world }: Views,
  connection: Connection,
  { subject, stream, viewer }: PlayerView,
  screen: SizePx,
): void {
  const slot = subject.player === undefined ? -1 : findPlayer(world.players, subject.player);
  if (slot >= 0) aimAtPlayer(viewer, world, slot, screen, QUALITY_LEVELS[subject.quality].viewDistanceWorld);
  // A player whose game is over keeps seeing the place where it ended.
  else viewer.player = NOBODY;
  // Whatever came in before the step is part of this view.
  viewer.acknowledged = subject.latestInput;
  const { full, delta } = STATE_MESSAGES.player;
  const type = stream.isFullDue ? full : delta;
  connection.sendState(type, encodeView(frame, stream, viewer));
}
