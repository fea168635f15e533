import { MAX_POINTER_WORLD } from '@engulf/protocol/room/byte-messages';
import { quantisePointer } from '@engulf/sim/pointer';
import type { Camera } from '../model/frame/camera.ts';
import { steerDirection } from './actions.ts';
import { trackHeldKeys } from './keyboard.ts';
import { createPointerPace, type Offset } from './pointer-pace.ts';

/**
 * The pointer in world units from the centre of the screen, rounded as the arena does. Far outside a small window it is
 * moved closer without a change of direction, so that it can be sent.
 */
export function pointerOffset(camera: Camera, pointer: Offset): Offset {
  const x = (pointer.x - camera.widthPx / 2) / camera.scale;
  const y = (pointer.y - camera.heightPx / 2) / camera.scale;
  const closer = Math.min(1, MAX_POINTER_WORLD / Math.max(Math.abs(x), Math.abs(y), 1));
  return { x: quantisePointer(x * closer), y: quantisePointer(y * closer) };
}

/** How far from the middle held keys point, as a share of the shorter side. */
const KEYS_REACH = 0.45;

type Steering = {
  /** Call with every frame: the camera's zoom changes what the pointer means. */
  update(): void;
  /** Sends the pointer with the next frame, though it has not moved. */
  resend(): void;
  stop(): void;
};

/** While active, reports every move of the mouse, pen or finger, and of held arrow keys, at once, and sends it when its turn has come. */
export function steerByPointer(
  element: HTMLElement,
  camera: Camera,
  isActive: () => boolean,
  report: { onPoint(offset: Offset): void; onSend(offset: Offset): void },
): Steering {
  const pace = createPointerPace();
  const keys = trackHeldKeys();
  let isByKeys = false;
  let pointer: Offset | undefined;
  let reported: Offset = { x: 0, y: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = () => {
    followKeys();
    if (!pointer || !isActive()) return;
    const offset = pointerOffset(camera, pointer);
    const nowMs = performance.now();
    if (offset.x !== reported.x || offset.y !== reported.y) {
      reported = offset;
      report.onPoint(offset);
    }
    const waitMs = pace.waitMs(offset, nowMs);
    clearTimeout(timer);
    if (waitMs === undefined) return;
    if (waitMs > 0) {
      timer = setTimeout(update, waitMs);
      return;
    }
    pace.noteSent(offset, nowMs);
    report.onSend(offset);
  };
  /** As if the pointer were far away in that direction; in the middle, where the cell rests, once all are released. */
  const followKeys = () => {
    const { x, y } = steerDirection(keys.held);
    const isSteering = x !== 0 || y !== 0;
    if (!isSteering && !isByKeys) return;
    isByKeys = isSteering;
    const { widthPx, heightPx } = camera;
    const reachPx = KEYS_REACH * Math.min(widthPx, heightPx);
    pointer = { x: widthPx / 2 + x * reachPx, y: heightPx / 2 + y * reachPx };
  };
  const onMove = (event: PointerEvent) => {
    const { left, top } = element.getBoundingClientRect();
    pointer = { x: event.clientX - left, y: event.clientY - top };
    update();
  };
  // On the window, because the pointer steers over the panels too. A finger steers from its first touch.
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerdown', onMove);
  return {
    update,
    resend: pace.forget,
    stop() {
      clearTimeout(timer);
      keys.stop();
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerdown', onMove);
    },
  };
}
