import {
  type Camera,
  glideTo,
  moveCloser,
  panSpectator,
  resetSpectatorCamera,
  zoomSpectator,
} from '../model/camera.ts';
import type { Frame } from '../model/frame.ts';
import { listenToKeys, trackHeldKeys } from './keyboard.ts';

/** Free flight over the dish: pan, zoom, the top player, somebody at random, and back to the whole. */
export function flySpectatorCamera(
  element: HTMLElement,
  camera: Camera,
  topName: () => string | undefined,
): { move(frame: Frame): void; stop(): void } {
  let followed: string | undefined;
  let names: readonly string[] = [];
  const keys = trackHeldKeys();
  const stopKeys = listenToKeys(
    {
      KeyF: { press: () => follow(topName()) },
      Tab: { press: () => follow(names[Math.floor(Math.random() * names.length)]) },
      KeyR: {
        press: () => {
          followed = undefined;
          camera.isPlaced = false;
        },
      },
    },
    () => true,
  );
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    zoomSpectator(camera, event.deltaY);
  };
  element.addEventListener('wheel', onWheel, { passive: false });

  return {
    move(frame) {
      if (!camera.isPlaced && frame.tick > 0) resetSpectatorCamera(camera, frame.worldSize);
      const { held } = keys;
      const x =
        Number(held.has('KeyD') || held.has('ArrowRight')) -
        Number(held.has('KeyA') || held.has('ArrowLeft'));
      const y =
        Number(held.has('KeyS') || held.has('ArrowDown')) - Number(held.has('KeyW') || held.has('ArrowUp'));
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

const FOLLOW_ZOOM = 0.6;

/** Cells in sight are sorted by size, so the last one found is the largest. */
function largestOf(frame: Frame, name: string) {
  return frame.cells.findLast(({ player }) => player?.name === name);
}
