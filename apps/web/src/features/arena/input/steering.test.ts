// @vitest-environment happy-dom
import { movementBytes } from '@engulf/protocol/room/byte-messages';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCamera, resizeCamera } from '../model/frame/camera.ts';
import { listenToKeys } from './keyboard.ts';
import { pointerOffset, steerByPointer } from './steering.ts';

function fullScreenCamera(zoom: number) {
  const camera = createCamera();
  camera.zoom = zoom;
  resizeCamera(camera, 1920, 1080);
  return camera;
}

test('the pointer is sent in world units from the centre at every zoom', () => {
  const camera = fullScreenCamera(2);
  expect(pointerOffset(camera, { x: 960, y: 540 })).toEqual({ x: 0, y: 0 });
  expect(pointerOffset(camera, { x: 1160, y: 440 })).toEqual({ x: 100, y: -48 });
  camera.zoom = 1;
  resizeCamera(camera, 1920, 1080);
  expect(pointerOffset(camera, { x: 1160, y: 440 })).toEqual({ x: 200, y: -100 });
});

test('a pointer far outside the window keeps its direction and can be sent', () => {
  const camera = fullScreenCamera(1);
  const offset = pointerOffset(camera, { x: 960 + 40_000, y: 540 - 20_000 });
  expect(offset).toEqual({ x: 8188, y: -4092 });
  expect(movementBytes.read(movementBytes.write({ ...offset, seq: 1 }))).toEqual({ ...offset, seq: 1 });
});

describe('steering', () => {
  let stop = () => {};
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  function start(isActive = () => true) {
    const onPoint = vi.fn();
    const onSend = vi.fn();
    const steering = steerByPointer(document.body, fullScreenCamera(1), isActive, { onPoint, onSend });
    stop = steering.stop;
    return { steering, onPoint, onSend };
  }

  function point(clientX: number, clientY: number, type = 'pointermove'): void {
    window.dispatchEvent(new PointerEvent(type, { clientX, clientY }));
  }

  test('reports and sends the first move at once', () => {
    const { onPoint, onSend } = start();
    point(1260, 540);
    expect(onPoint).toHaveBeenCalledExactlyOnceWith({ x: 300, y: 0 });
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ x: 300, y: 0 });
  });

  test('reports every move, and sends the newest when its turn has come', () => {
    const { onPoint, onSend } = start();
    point(1260, 540);
    point(960, 840);
    point(660, 540);
    expect(onPoint).toHaveBeenCalledTimes(3);
    expect(onSend).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(50);
    expect(onSend.mock.calls.slice(1)).toEqual([[{ x: -300, y: 0 }]]);
    vi.advanceTimersByTime(1_000);
    expect(onSend).toHaveBeenCalledTimes(2);
  });

  test('follows a finger from its first touch', () => {
    const { onSend } = start();
    point(960, 240, 'pointerdown');
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ x: 0, y: -300 });
  });

  test('continues while a key is held', () => {
    const { onSend } = start();
    const eject = vi.fn();
    const stopKeys = listenToKeys('player', { eject });
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW' }));
    for (let i = 0; i < 10; i++) {
      point(1260 - 60 * i, 540 + 60 * i);
      vi.advanceTimersByTime(50);
    }
    stopKeys();
    expect(onSend).toHaveBeenCalledTimes(10);
    expect(eject.mock.calls.length).toBeGreaterThan(3);
  });

  test('follows held arrow keys, and rests when they are released', () => {
    const { steering, onPoint } = start();
    const press = (type: string, code: string) => window.dispatchEvent(new KeyboardEvent(type, { code }));
    press('keydown', 'ArrowRight');
    press('keydown', 'ArrowUp');
    // W is for ejecting.
    press('keydown', 'KeyW');
    steering.update();
    expect(onPoint).toHaveBeenLastCalledWith({ x: 488, y: -484 });
    for (const code of ['ArrowRight', 'ArrowUp', 'KeyW']) press('keyup', code);
    steering.update();
    expect(onPoint).toHaveBeenLastCalledWith({ x: 0, y: 0 });
    point(1260, 540);
    expect(onPoint).toHaveBeenLastCalledWith({ x: 300, y: 0 });
  });

  test('sends the last pointer as soon as there is something to steer', () => {
    let isAlive = false;
    const { steering, onSend } = start(() => isAlive);
    point(1260, 540);
    expect(onSend).not.toHaveBeenCalled();
    isAlive = true;
    steering.update();
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ x: 300, y: 0 });
  });
});
