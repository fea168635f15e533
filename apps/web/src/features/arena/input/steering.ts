import { MIN_MOVEMENT_GAP_MS } from '@engulf/protocol/room/client-messages';
import { quantisePointer } from '@engulf/sim/pointer';
import type { Camera } from '../model/camera.ts';

type Offset = { readonly x: number; readonly y: number };

/** The pointer in world units from the centre of the screen, rounded as the arena does. */
export function pointerOffset(camera: Camera, pointer: Offset): Offset {
  return {
    x: quantisePointer((pointer.x - camera.widthPx / 2) / camera.scale),
    y: quantisePointer((pointer.y - camera.heightPx / 2) / camera.scale),
  };
}

/** Sends the pointer at most every 50 ms, and only if it moved. */
export function steerByPointer(
  element: HTMLElement,
  camera: Camera,
  send: (offset: Offset) => void,
): { readonly offset: Offset; stop(): void } {
  let pointer: Offset | undefined;
  let sent: Offset = { x: 0, y: 0 };
  const onMove = (event: PointerEvent) => {
    const { left, top } = element.getBoundingClientRect();
    pointer = { x: event.clientX - left, y: event.clientY - top };
  };
  const timer = setInterval(() => {
    if (!pointer) return;
    const offset = pointerOffset(camera, pointer);
    if (offset.x === sent.x && offset.y === sent.y) return;
    sent = offset;
    send(offset);
  }, MIN_MOVEMENT_GAP_MS);
  // On the window, because the pointer steers over the panels too.
  window.addEventListener('pointermove', onMove);
  return {
    get offset() {
      return sent;
    },
    stop() {
      clearInterval(timer);
      window.removeEventListener('pointermove', onMove);
    },
  };
}
