import {
  CAMERA_ZOOM,
  clampSpectatorZoom,
  clampUserZoom,
  coverScale,
  playerZoom,
  SPECTATOR_CAMERA,
  SPLIT_ZOOM_COOLDOWN_MS,
} from '@engulf/netcode/camera';
import { WORLD } from './world-grid.ts';

/** What part of the world is on the screen. */
export type Camera = {
  x: number;
  y: number;
  /** Screen pixels per world unit, the size of the window included. */
  scale: number;
  widthPx: number;
  heightPx: number;
  /** Zoom as the specification counts it: on the reference screen. */
  zoom: number;
  userZoom: number;
  /** Until when the zoom rests after a split. */
  zoomRestsUntilMs: number;
  isPlaced: boolean;
};

/** Time constants of the easing. The centre hurries: a camera that trails makes steering feel soft. */
const FOLLOW_MS = 60;
const ZOOM_MS = 420;
const GLIDE_MS = 160;
const WHEEL_STEP = 1.0012;

export function createCamera(): Camera {
  return {
    x: WORLD.centre,
    y: WORLD.centre,
    scale: 1,
    widthPx: 1,
    heightPx: 1,
    zoom: CAMERA_ZOOM.max,
    userZoom: 1,
    zoomRestsUntilMs: 0,
    isPlaced: false,
  };
}

export function resizeCamera(camera: Camera, widthPx: number, heightPx: number): void {
  camera.widthPx = Math.max(1, widthPx);
  camera.heightPx = Math.max(1, heightPx);
  applyZoom(camera);
}

/** Follows the middle of the own cells. The first time, and after a leap, it is simply there. */
export function followPlayer(
  camera: Camera,
  target: { x: number; y: number; mass: number },
  nowMs: number,
  elapsedMs: number,
): void {
  const wantedZoom = playerZoom(target.mass, camera.userZoom);
  const reach = camera.widthPx / camera.scale;
  if (!camera.isPlaced || Math.hypot(target.x - camera.x, target.y - camera.y) > reach) {
    camera.x = target.x;
    camera.y = target.y;
    camera.zoom = wantedZoom;
    camera.isPlaced = true;
  } else {
    const follow = easedShare(elapsedMs, FOLLOW_MS);
    camera.x += (target.x - camera.x) * follow;
    camera.y += (target.y - camera.y) * follow;
    if (nowMs >= camera.zoomRestsUntilMs) {
      camera.zoom += (wantedZoom - camera.zoom) * easedShare(elapsedMs, ZOOM_MS);
    }
  }
  applyZoom(camera);
}

export function restZoomAfterSplit(camera: Camera, nowMs: number): void {
  camera.zoomRestsUntilMs = nowMs + SPLIT_ZOOM_COOLDOWN_MS;
}

/** The wheel moves the player's camera closer and back, never farther than the size allows. */
export function turnWheel(camera: Camera, deltaY: number): void {
  camera.userZoom = clampUserZoom(camera.userZoom * WHEEL_STEP ** -deltaY);
  camera.zoomRestsUntilMs = 0;
}

/** The whole dish, as a spectator begins. */
export function resetSpectatorCamera(camera: Camera, worldSize: number): void {
  camera.x = worldSize / 2;
  camera.y = worldSize / 2;
  camera.zoom = SPECTATOR_CAMERA.startZoom;
  camera.isPlaced = true;
  applyZoom(camera);
}

/** `directionX` and `directionY` are −1, 0 or 1; the speed is in screen pixels per frame of a 60 Hz screen. */
export function panSpectator(
  camera: Camera,
  directionX: number,
  directionY: number,
  elapsedMs: number,
  worldSize: number,
): void {
  const reach = (SPECTATOR_CAMERA.panSpeed * (elapsedMs / (1000 / 60))) / camera.scale;
  camera.x = Math.min(worldSize, Math.max(0, camera.x + directionX * reach));
  camera.y = Math.min(worldSize, Math.max(0, camera.y + directionY * reach));
}

export function zoomSpectator(camera: Camera, deltaY: number): void {
  camera.zoom = clampSpectatorZoom(camera.zoom * WHEEL_STEP ** -deltaY);
  applyZoom(camera);
}

/** Eases a spectator's camera to somebody. */
export function glideTo(camera: Camera, target: { x: number; y: number }, elapsedMs: number): void {
  const share = easedShare(elapsedMs, GLIDE_MS);
  camera.x += (target.x - camera.x) * share;
  camera.y += (target.y - camera.y) * share;
}

/** At least so close, for a spectator that looks at somebody. */
export function moveCloser(camera: Camera, zoom: number): void {
  camera.zoom = Math.max(camera.zoom, clampSpectatorZoom(zoom));
  applyZoom(camera);
}

export function toScreenX(camera: Camera, x: number): number {
  return (x - camera.x) * camera.scale + camera.widthPx / 2;
}

export function toScreenY(camera: Camera, y: number): number {
  return (y - camera.y) * camera.scale + camera.heightPx / 2;
}

/** Whether any of a circle may be on the screen. */
export function isInSight(camera: Camera, x: number, y: number, reach: number): boolean {
  const halfWidth = camera.widthPx / camera.scale / 2 + reach;
  const halfHeight = camera.heightPx / camera.scale / 2 + reach;
  return Math.abs(x - camera.x) < halfWidth && Math.abs(y - camera.y) < halfHeight;
}

function applyZoom(camera: Camera): void {
  camera.scale = camera.zoom * coverScale({ widthPx: camera.widthPx, heightPx: camera.heightPx });
}

function easedShare(elapsedMs: number, timeConstantMs: number): number {
  return 1 - Math.exp(-elapsedMs / timeConstantMs);
}
