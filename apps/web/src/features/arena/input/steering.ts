import { MAX_POINTER_WORLD } from '@engulf/protocol/room/byte-messages';
import { quantisePointer } from '@engulf/sim/pointer';
import type { Camera } from '../model/frame/camera.ts';
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

type Steering = {
  /** Call with every frame: the camera's zoom changes what the pointer means. */
  update(): void;
  /** Sends the pointer with the next frame, though it has not moved. */
  resend(): void;
  stop(): void;
};

/** While active, reports every move of the mouse, pen or finger at once, and sends it when its turn has come. */
export function steerByPointer(
  element: HTMLElement,
  camera: Camera,
  isActive: () => boolean,
  report: { onPoint(offset: Offset): void; onSend(offset: Offset): void },
): Steering {
  const pace = createPointerPace();
  let pointer: Offset | undefined;
  let reported: Offset = { x: 0, y: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = () => {
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
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerdown', onMove);
    },
  };
}
