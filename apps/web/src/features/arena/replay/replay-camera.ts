import type { PlayerId } from '@engulf/sim/players';
import { panDirection } from '../input/actions.ts';
import { trackHeldKeys } from '../input/keyboard.ts';
import type { ArenaModel } from '../model/arena-model.ts';
import {
  followPlayer,
  moveCloser,
  panSpectator,
  resetSpectatorCamera,
  turnWheel,
  zoomSpectator,
} from '../model/frame/camera.ts';
import type { Frame } from '../model/frame/frame.ts';

const FREE_ZOOM = 0.4;
/** The whole arena between the panels, on the reference screen. */
const ARENA_HEIGHT_PX = 740;

/** Follows a player, or moves by keys and mouse, also while the film is paused. */
export function createReplayCamera(element: HTMLElement, { camera, locate }: ArenaModel, onFree: () => void) {
  let followed: PlayerId | undefined;
  let lastMs = performance.now();
  const keys = trackHeldKeys();
  const isFree = () => followed === undefined;
  const free = () => {
    if (isFree()) return;
    followed = undefined;
    onFree();
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    if (isFree()) zoomSpectator(camera, event.deltaY);
    else turnWheel(camera, event.deltaY);
  };
  const onDrag = ({ buttons, movementX, movementY }: PointerEvent) => {
    if (buttons !== 1) return;
    free();
    camera.x -= movementX / camera.scale;
    camera.y -= movementY / camera.scale;
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  element.addEventListener('pointermove', onDrag);

  return {
    follow(player: PlayerId | undefined): void {
      followed = player;
      if (player !== undefined) camera.isPlaced = false;
      else moveCloser(camera, FREE_ZOOM);
    },
    move(frame: Frame): void {
      const nowMs = performance.now();
      const elapsedMs = Math.min(100, nowMs - lastMs);
      lastMs = nowMs;
      const { x, y } = panDirection(keys.held);
      if (x !== 0 || y !== 0) free();
      const target = followed === undefined ? undefined : locate(followed);
      if (target) followPlayer(camera, target, frame.nowMs, elapsedMs);
      else if (!camera.isPlaced && frame.tick > 0 && isFree()) {
        resetSpectatorCamera(camera, frame.worldSize);
        moveCloser(camera, ARENA_HEIGHT_PX / frame.worldSize);
      }
      panSpectator(camera, x, y, elapsedMs, frame.worldSize);
    },
    stop(): void {
      keys.stop();
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointermove', onDrag);
    },
  };
}
