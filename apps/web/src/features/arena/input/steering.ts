import { quantisePointer } from '@engulf/sim/pointer';
import type { Camera } from '../model/camera.ts';
import { createPointerPace, type Offset } from './pointer-pace.ts';

/** The pointer in world units from the centre of the screen, rounded as the arena does. */
export function pointerOffset(camera: Camera, pointer: Offset): Offset {
  return {
    x: quantisePointer((pointer.x - camera.widthPx / 2) / camera.scale),
    y: quantisePointer((pointer.y - camera.heightPx / 2) / camera.scale),
  };
}

type Steering = {
  /** Call with every frame: the camera's zoom changes what the pointer means. */
  update(): void;
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
    stop() {
      clearTimeout(timer);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerdown', onMove);
    },
  };
}
