import type { ArenaView, PlayerView } from '@engulf/netcode/decode/arena-view';
import {
  type Camera,
  dragSpectator,
  glideTo,
  moveCloser,
  panSpectator,
  resetSpectatorCamera,
  zoomSpectator,
} from '../model/frame/camera.ts';
import type { Frame } from '../model/frame/frame.ts';
import type { ArenaEvents } from '../net/events.ts';
import { panDirection } from './actions.ts';
import { listenToKeys, trackHeldKeys } from './keyboard.ts';
import { listenToPointer } from './spectator-pointer.ts';

const FOLLOW_ZOOM = 0.6;

type SpectatorDeps = {
  readonly camera: Camera;
  /** Players of the whole arena: those out of the camera's view can be followed too. */
  readonly view: ArenaView;
  readonly events: ArenaEvents;
  /** The leader; undefined until the room has sent a leaderboard. */
  readonly topName: () => string | undefined;
};

/** Moves the spectator's camera: pan, drag, zoom, follow anybody, reset. */
export function flySpectatorCamera(
  element: HTMLElement,
  { camera, view, events, topName }: SpectatorDeps,
): { move(frame: Frame): void; stop(): void } {
  let followed: PlayerView | undefined;
  let worldSize = 0;
  const seen = new Set<PlayerView>();
  const keys = trackHeldKeys();
  const stopKeys = listenToKeys('spectator', {
    topPlayer: () => follow(living().find(({ name }) => name === topName())),
    randomPlayer: () => follow(pickUnseen(living(), seen, Math.random())),
    reset: () => {
      follow(undefined);
      camera.isPlaced = false;
    },
  });
  const stopPointer = listenToPointer(element, {
    drag(dx, dy) {
      follow(undefined);
      dragSpectator(camera, dx, dy, worldSize);
    },
    click: (x, y) => follow(playerAt(view, camera, x, y) ?? followed),
    wheel: (deltaY) => zoomSpectator(camera, deltaY),
  });
  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'followRequested') follow(living().find(({ name }) => name === event.name));
    else if (event.type === 'lookRequested') {
      follow(undefined);
      camera.x = event.left * worldSize;
      camera.y = event.top * worldSize;
    }
  });

  return {
    move(frame) {
      worldSize = frame.worldSize;
      if (!camera.isPlaced && frame.tick > 0) resetSpectatorCamera(camera, worldSize);
      const { x, y } = panDirection(keys.held);
      if (x !== 0 || y !== 0) follow(undefined);
      panSpectator(camera, x, y, frame.elapsedMs, worldSize);
      if (!followed) return;
      const target = shownCellOf(frame, followed) ?? largest(followed.cells);
      if (target) glideTo(camera, target, frame.elapsedMs);
      else follow(undefined);
    },
    stop() {
      stopKeys();
      keys.stop();
      stopPointer();
      unsubscribe();
    },
  };

  function living(): PlayerView[] {
    return [...view.players.values()].filter(({ cells }) => cells.length > 0);
  }

  function follow(player: PlayerView | undefined): void {
    if (player === followed) return;
    followed = player;
    if (player) moveCloser(camera, FOLLOW_ZOOM);
    events.publish({ type: 'following', name: player?.name });
  }
}

/** A random player whom this spectator has not been to yet; once it has been to all, the round begins again. */
export function pickUnseen<Player>(
  players: readonly Player[],
  seen: Set<Player>,
  random: number,
): Player | undefined {
  const unseen = players.filter((player) => !seen.has(player));
  if (unseen.length === 0) seen.clear();
  const choice = unseen.length > 0 ? unseen : players;
  const picked = choice[Math.floor(random * choice.length)];
  if (picked) seen.add(picked);
  return picked;
}

/** The player whose cell is at this point of the element: the smallest of several, which lies on top. */
function playerAt(view: ArenaView, camera: Camera, leftPx: number, topPx: number): PlayerView | undefined {
  const x = camera.x + (leftPx - camera.widthPx / 2) / camera.scale;
  const y = camera.y + (topPx - camera.heightPx / 2) / camera.scale;
  // From far away cells are a few pixels wide, so a click near one counts.
  const slack = 12 / camera.scale;
  return view.bodies
    .filter((body) => body.kind === 'cell' && Math.hypot(body.x - x, body.y - y) < body.radius + slack)
    .toSorted((a, b) => a.radius - b.radius)[0]?.player;
}

/** Cells are sorted by size, so the last match is the largest. */
function shownCellOf(frame: Frame, player: PlayerView) {
  return frame.cells.findLast((cell) => cell.player === player);
}

function largest(cells: PlayerView['cells']) {
  return cells.toSorted((a, b) => b.radius - a.radius)[0];
}
