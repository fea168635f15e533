import { describe, expect, test } from 'vitest';
import { createCamera, dragSpectator, resetSpectatorCamera, resizeCamera } from '../model/frame/camera.ts';
import { pickUnseen } from './spectator-camera.ts';

describe('a spectator', () => {
  test('sees every player once before seeing one again', () => {
    const seen = new Set<string>();
    const round = [0.9, 0, 0.5].map((random) => pickUnseen(['Ada', 'Bo', 'Cy'], seen, random));
    expect(round.toSorted()).toEqual(['Ada', 'Bo', 'Cy']);
    expect(['Ada', 'Bo', 'Cy']).toContain(pickUnseen(['Ada', 'Bo', 'Cy'], seen, 0.2));
    expect(pickUnseen([], seen, 0.2)).toBeUndefined();
  });

  test('drags the world along with the pointer, never out of the arena', () => {
    const camera = createCamera();
    resizeCamera(camera, 1000, 800);
    resetSpectatorCamera(camera, 7000);
    const { x, y, scale } = camera;
    dragSpectator(camera, 50, -20, 7000);
    expect(camera.x).toBeCloseTo(x - 50 / scale);
    expect(camera.y).toBeCloseTo(y + 20 / scale);
    dragSpectator(camera, -1e6, 1e6, 7000);
    expect([camera.x, camera.y]).toEqual([7000, 0]);
  });
});
