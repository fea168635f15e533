import { type ArenaFrame, captureFrame, createArenaFrame } from '@engulf/netcode/arena-frame';
import type { SizePx } from '@engulf/netcode/camera';
import { encodeView } from '@engulf/netcode/encode-view';
import { aimAtPlayer, createViewer, NOBODY, type Viewer } from '@engulf/netcode/view';
import { createViewStream, requestFull, type ViewStream } from '@engulf/netcode/view-stream';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { findPlayer, playerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import type { Logger } from 'pino';
import { rewardOf } from '../board/reward.ts';
import { colourOf, nameOf, type Participant, type Roster } from '../match/roster.ts';
import type { GameLobby } from '../ports.ts';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { countSpectators, createGallery, type Gallery, sendGallery } from './gallery.ts';

/** What each connection is shown of the arena. */
export type Views = {
  readonly world: World;
  readonly frame: ArenaFrame;
  readonly players: Map<Connection, PlayerView>;
  readonly gallery: Gallery;
};

type PlayerView = {
  readonly participant: Participant;
  readonly stream: ViewStream;
  readonly viewer: Viewer;
};

/** A good connection sees as far as the screen does. */
const UNLIMITED_WORLD = Number.POSITIVE_INFINITY;

export function createViews(world: World, roster: Roster, lobby: GameLobby): Views {
  const { players } = world;
  const frame = createArenaFrame(world, (slot) => {
    const player = playerId(players, slot);
    return {
      name: nameOf(roster, player),
      colour: colourOf(roster, player),
      reward: rewardOf(lobby, players.bounty[slot]!),
    };
  });
  const delaySeconds = lobby.isFree ? 0 : ROOM_LIMITS.paidSpectatorDelaySeconds;
  return { world, frame, players: new Map(), gallery: createGallery(frame, delaySeconds) };
}

export function startView(views: Views, connection: Connection, participant: Participant): void {
  const stream = createViewStream(views.frame);
  views.players.set(connection, { participant, stream, viewer: createViewer() });
}

export function endView(views: Views, connection: Connection): void {
  views.players.delete(connection);
}

/** The client lost the thread and wants to begin anew. */
export function restartView(views: Views, connection: Connection): void {
  const view = views.players.get(connection);
  if (view) requestFull(view.stream);
}

/** To be called after every step. Whoever cannot be shown the arena has to come back; the others play on. */
export function sendViews(views: Views, logger: Logger): void {
  captureFrame(views.frame);
  for (const [connection, view] of views.players) {
    const { screen } = view.participant;
    if (!screen || !connection.canTakeState()) continue;
    try {
      sendPlayerView(views, connection, view, screen);
    } catch (error) {
      logger.error({ err: error, entryId: view.participant.seat.entryId }, 'a view could not be sent');
      endView(views, connection);
      connection.kick('Something went wrong. Please join again.');
    }
  }
  sendGallery(views.gallery, views.frame, views.world);
}

export function countViewers({ players, gallery }: Views): number {
  return players.size + countSpectators(gallery);
}

function sendPlayerView(
  { frame, world }: Views,
  connection: Connection,
  { participant, stream, viewer }: PlayerView,
  screen: SizePx,
): void {
  const slot = participant.player === undefined ? -1 : findPlayer(world.players, participant.player);
  if (slot >= 0) aimAtPlayer(viewer, world, slot, screen, UNLIMITED_WORLD);
  // Whoever is out keeps looking at the place where it ended.
  else viewer.player = NOBODY;
  const { full, delta } = STATE_MESSAGES.player;
  const type = stream.isFullDue ? full : delta;
  connection.sendState(type, encodeView(frame, stream, viewer));
}
