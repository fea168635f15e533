import { CAMERA_ZOOM, playerZoom, SPECTATOR_CAMERA, SPLIT_ZOOM_COOLDOWN_MS } from '@engulf/netcode/camera';
import { describe, expect, test } from 'vitest';
import {
  createCamera,
  followPlayer,
  holdZoomAfterSplit,
  isInSight,
  panSpectator,
  resetSpectatorCamera,
  resizeCamera,
  toScreenX,
  toScreenY,
  turnWheel,
  zoomSpectator,
} from './camera.ts';

function cameraAt(mass = 40) {
  const camera = createCamera();
  resizeCamera(camera, 1920, 1080);
  followPlayer(camera, { x: 1000, y: 2000, mass }, 0, 16);
  return camera;
}

describe('the camera of a player', () => {
  test('is on the player from the first frame', () => {
    const camera = cameraAt();
    expect([toScreenX(camera, 1000), toScreenY(camera, 2000)]).toEqual([960, 540]);
    expect(camera.zoom).toBeCloseTo(playerZoom(40));
  });

  test('follows smoothly and arrives', () => {
    const camera = cameraAt();
    followPlayer(camera, { x: 1100, y: 2000, mass: 40 }, 16, 16);
    expect(camera.x).toBeGreaterThan(1000);
    expect(camera.x).toBeLessThan(1100);
    for (let frame = 0; frame < 60; frame++)
      followPlayer(camera, { x: 1100, y: 2000, mass: 40 }, frame * 16, 16);
    expect(camera.x).toBeCloseTo(1100, 1);
  });

  test('shows the same part of the world in a window of any size', () => {
    const camera = cameraAt();
    const shown = camera.widthPx / camera.scale;
    resizeCamera(camera, 3840, 2160);
    expect(camera.widthPx / camera.scale).toBeCloseTo(shown);
    resizeCamera(camera, 3840, 1080);
    expect(camera.widthPx / camera.scale).toBeCloseTo(shown);
    expect(camera.heightPx / camera.scale).toBeLessThan(1080 / CAMERA_ZOOM.max);
  });

  test('zooms out as the player grows, but not right after a split', () => {
    const camera = cameraAt();
    holdZoomAfterSplit(camera, 0);
    followPlayer(camera, { x: 1000, y: 2000, mass: 2000 }, SPLIT_ZOOM_COOLDOWN_MS - 1, 5000);
    expect(camera.zoom).toBeCloseTo(playerZoom(40));
    followPlayer(camera, { x: 1000, y: 2000, mass: 2000 }, SPLIT_ZOOM_COOLDOWN_MS, 50_000);
    expect(camera.zoom).toBeCloseTo(playerZoom(2000));
  });

  test('never zooms out farther than normal by the wheel', () => {
    const camera = cameraAt(4000);
    turnWheel(camera, 5000);
    expect(camera.userZoom).toBe(1);
    turnWheel(camera, -5000);
    expect(camera.userZoom).toBe(1.5);
  });
});

describe('the camera of a spectator', () => {
  test('starts with the whole arena and stays within its limits', () => {
    const camera = createCamera();
    resizeCamera(camera, 1920, 1080);
    resetSpectatorCamera(camera, 7000);
    expect(isInSight(camera, 0, 0, 0)).toBe(true);
    expect(isInSight(camera, 7000, 7000, 0)).toBe(true);
    zoomSpectator(camera, 1e6);
    expect(camera.zoom).toBe(SPECTATOR_CAMERA.minZoom);
    zoomSpectator(camera, -1e6);
    expect(camera.zoom).toBe(SPECTATOR_CAMERA.maxZoom);
    for (let frame = 0; frame < 10_000; frame++) panSpectator(camera, 1, -1, 16, 7000);
    expect([camera.x, camera.y]).toEqual([7000, 0]);
  });
});
