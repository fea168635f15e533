import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { type ArenaFrame, captureFrame, createArenaFrame } from '@engulf/netcode/arena-frame';
import type { SizePx } from '@engulf/netcode/camera';
import { encodeView } from '@engulf/netcode/encode-view';
import { aimAtPlayer, createViewer, NOBODY, type Viewer } from '@engulf/netcode/view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/netcode/view-stream';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import type { Logger } from 'pino';
import type { Connection } from '../connection.ts';
import { createSpectators, type Spectators, sendToSpectators } from './spectators.ts';

/** What each connection is shown of the arena. */
export type Views = {
  readonly world: World;
  readonly frame: ArenaFrame;
  readonly players: Map<Connection, PlayerView>;
  readonly spectators: Spectators;
};

/** The player a view follows, and the screen it is for. Nothing is sent before the screen is known. */
type ViewSubject = {
  readonly seat: { readonly entryId: EntryId };
  readonly player: PlayerId | undefined;
  readonly screen: SizePx | undefined;
  readonly latestInput: number;
};

type PlayerView = {
  readonly subject: ViewSubject;
  readonly stream: ViewStream;
  readonly viewer: Viewer;
};

/** The server does not cut what a screen can show. */
const UNLIMITED_WORLD = Number.POSITIVE_INFINITY;

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
  };
}

export function startView(views: Views, connection: Connection, subject: ViewSubject): void {
  const stream = createViewStream(views.frame);
  views.players.set(connection, { subject, stream, viewer: createViewer() });
}

export function endView(views: Views, connection: Connection): void {
  views.players.delete(connection);
}

/** For a client that lost track of the deltas: the next update is a full snapshot. */
export function resyncView(views: Views, connection: Connection): void {
  const view = views.players.get(connection);
  if (view) requestFull(view.stream);
}

/** Call after every step. A player whose view fails is kicked and may rejoin; the others play on. */
export function sendViews(views: Views, logger: Logger): void {
  captureFrame(views.frame);
  for (const [connection, view] of views.players) {
    const { screen } = view.subject;
    if (!screen || !connection.canTakeState()) continue;
    try {
      sendPlayerView(views, connection, view, screen);
    } catch (error) {
      logger.error({ err: error, entryId: view.subject.seat.entryId }, 'could not send a view');
      endView(views, connection);
      connection.kick('Something went wrong. Please join again.');
    }
  }
  sendToSpectators(views.spectators, views.world);
}

export function countViewers({ players, spectators }: Views): number {
  return players.size + spectators.byConnection.size;
}

function sendPlayerView(
  { frame, world }: Views,
  connection: Connection,
  { subject, stream, viewer }: PlayerView,
  screen: SizePx,
): void {
  const slot = subject.player === undefined ? -1 : findPlayer(world.players, subject.player);
  if (slot >= 0) aimAtPlayer(viewer, world, slot, screen, UNLIMITED_WORLD);
  // A player who is out keeps looking at the place where it ended.
  else viewer.player = NOBODY;
  // Whatever came in before the step is part of this view.
  viewer.acknowledged = subject.latestInput;
  const { full, delta } = STATE_MESSAGES.player;
  const type = stream.isFullDue ? full : delta;
  connection.sendState(type, encodeView(frame, stream, viewer));
}
