import {
  CAMERA_ZOOM,
  clampSpectatorZoom,
  clampUserZoom,
  coverScale,
  playerZoom,
  SPECTATOR_CAMERA,
  SPLIT_ZOOM_COOLDOWN_MS,
} from '@engulf/netcode/camera';
import { WORLD } from './map-grid.ts';

/** The part of the world on the screen. */
export type Camera = {
  x: number;
  y: number;
  /** Screen pixels per world unit: zoom times window size. */
  scale: number;
  widthPx: number;
  heightPx: number;
  /** Zoom on the reference screen, as the specification defines it. */
  zoom: number;
  userZoom: number;
  /** The zoom is held until then, after a split. */
  zoomHeldUntilMs: number;
  isPlaced: boolean;
};

/** Time constants of the easing. The centre follows fast, because a trailing camera makes steering feel soft. */
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
    zoomHeldUntilMs: 0,
    isPlaced: false,
  };
}

export function resizeCamera(camera: Camera, widthPx: number, heightPx: number): void {
  camera.widthPx = Math.max(1, widthPx);
  camera.heightPx = Math.max(1, heightPx);
  applyZoom(camera);
}

/** Follows the player; jumps there the first time and after a teleport. */
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
    if (nowMs >= camera.zoomHeldUntilMs) {
      camera.zoom += (wantedZoom - camera.zoom) * easedShare(elapsedMs, ZOOM_MS);
    }
  }
  applyZoom(camera);
}

export function holdZoomAfterSplit(camera: Camera, nowMs: number): void {
  camera.zoomHeldUntilMs = nowMs + SPLIT_ZOOM_COOLDOWN_MS;
}

/** The wheel zooms in and back out, never farther out than the player's size allows. */
export function turnWheel(camera: Camera, deltaY: number): void {
  camera.userZoom = clampUserZoom(camera.userZoom * WHEEL_STEP ** -deltaY);
  camera.zoomHeldUntilMs = 0;
}

/** The whole arena, where a spectator starts. */
export function resetSpectatorCamera(camera: Camera, worldSize: number): void {
  camera.x = worldSize / 2;
  camera.y = worldSize / 2;
  camera.zoom = SPECTATOR_CAMERA.startZoom;
  camera.isPlaced = true;
  applyZoom(camera);
}

/** `directionX` and `directionY` are −1, 0 or 1; the speed is in screen pixels per frame at 60 Hz. */
export function panSpectator(
  camera: Camera,
  directionX: number,
  directionY: number,
  elapsedMs: number,
  worldSize: number,
): void {
  const reach = (SPECTATOR_CAMERA.panSpeed * (elapsedMs / (1000 / 60))) / camera.scale;
  moveWithin(camera, directionX * reach, directionY * reach, worldSize);
}

/** Moves the world along with a pointer that drags it. */
export function dragSpectator(camera: Camera, dxPx: number, dyPx: number, worldSize: number): void {
  moveWithin(camera, -dxPx / camera.scale, -dyPx / camera.scale, worldSize);
}

function moveWithin(camera: Camera, dx: number, dy: number, worldSize: number): void {
  camera.x = Math.min(worldSize, Math.max(0, camera.x + dx));
  camera.y = Math.min(worldSize, Math.max(0, camera.y + dy));
}

export function zoomSpectator(camera: Camera, deltaY: number): void {
  camera.zoom = clampSpectatorZoom(camera.zoom * WHEEL_STEP ** -deltaY);
  applyZoom(camera);
}

/** Eases the spectator's camera towards a player. */
export function glideTo(camera: Camera, target: { x: number; y: number }, elapsedMs: number): void {
  const share = easedShare(elapsedMs, GLIDE_MS);
  camera.x += (target.x - camera.x) * share;
  camera.y += (target.y - camera.y) * share;
}

/** Zooms in to at least this level. */
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

/** Whether a circle may be partly on the screen. */
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
