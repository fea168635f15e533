import { expect, test } from 'vitest';
import { createCamera, resizeCamera } from '../model/camera.ts';
import { pointerOffset } from './steering.ts';

test('the pointer is sent in world units from the centre at every zoom', () => {
  const camera = createCamera();
  camera.zoom = 2;
  resizeCamera(camera, 1920, 1080);
  expect(pointerOffset(camera, { x: 960, y: 540 })).toEqual({ x: 0, y: 0 });
  expect(pointerOffset(camera, { x: 1160, y: 440 })).toEqual({ x: 100, y: -48 });
  camera.zoom = 1;
  resizeCamera(camera, 1920, 1080);
  expect(pointerOffset(camera, { x: 1160, y: 440 })).toEqual({ x: 200, y: -100 });
});
