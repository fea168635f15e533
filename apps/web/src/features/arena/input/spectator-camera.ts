import {
  type Camera,
  glideTo,
  moveCloser,
  panSpectator,
  resetSpectatorCamera,
  zoomSpectator,
} from '../model/camera.ts';
import type { Frame } from '../model/frame.ts';
import { panDirection } from './actions.ts';
import { listenToKeys, trackHeldKeys } from './keyboard.ts';

const FOLLOW_ZOOM = 0.6;

/** Moves the spectator's camera: pan, zoom, follow the top player or a random one, reset. */
export function flySpectatorCamera(
  element: HTMLElement,
  camera: Camera,
  topName: () => string | undefined,
): { move(frame: Frame): void; stop(): void } {
  let followed: string | undefined;
  let names: readonly string[] = [];
  const keys = trackHeldKeys();
  const stopKeys = listenToKeys('spectator', {
    topPlayer: () => follow(topName()),
    randomPlayer: () => follow(names[Math.floor(Math.random() * names.length)]),
    reset: () => {
      followed = undefined;
      camera.isPlaced = false;
    },
  });
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    zoomSpectator(camera, event.deltaY);
  };
  element.addEventListener('wheel', onWheel, { passive: false });

  return {
    move(frame) {
      if (!camera.isPlaced && frame.tick > 0) resetSpectatorCamera(camera, frame.worldSize);
      const { x, y } = panDirection(keys.held);
      if (x !== 0 || y !== 0) followed = undefined;
      panSpectator(camera, x, y, frame.elapsedMs, frame.worldSize);
      names = [...new Set(frame.cells.flatMap(({ player }) => (player ? [player.name] : [])))];
      const target = followed === undefined ? undefined : largestOf(frame, followed);
      if (target) glideTo(camera, target, frame.elapsedMs);
    },
    stop() {
      stopKeys();
      keys.stop();
      element.removeEventListener('wheel', onWheel);
    },
  };

  function follow(name: string | undefined): void {
    followed = name;
    if (name !== undefined) moveCloser(camera, FOLLOW_ZOOM);
  }
}

/** Cells are sorted by size, so the last match is the largest. */
function largestOf(frame: Frame, name: string) {
  return frame.cells.findLast(({ player }) => player?.name === name);
}
