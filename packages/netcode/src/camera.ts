export type SizePx = { readonly widthPx: number; readonly heightPx: number };

/** The screen that the arena was drawn for. */
export const REFERENCE_SCREEN: SizePx = { widthPx: 1920, heightPx: 1080 };

/**
 * Screen pixels per world unit at zoom 1. The reference screen is scaled until it covers the window, so a
 * larger or wider window shows the same part of the world in more detail, never more of it.
 */
export function coverScale({ widthPx, heightPx }: SizePx): number {
  return Math.max(widthPx / REFERENCE_SCREEN.widthPx, heightPx / REFERENCE_SCREEN.heightPx);
}

/** Screen pixels per world unit, on the reference screen. */
export const CAMERA_ZOOM = { min: 0.78, max: 1.956 } as const;
const USER_ZOOM = { min: 1, max: 1.5 } as const;
export const SPECTATOR_CAMERA = { minZoom: 0.08, maxZoom: 3, startZoom: 0.12, panSpeed: 15 } as const;
/** After a split the zoom holds still, or it would pump while the pieces fly. */
export const SPLIT_ZOOM_COOLDOWN_MS = 4_000;

const SPAWN_MASS = 40;
/** A freshly spawned cell with the user zoom fully in is the closest view there is. */
const SPAWN_ZOOM = CAMERA_ZOOM.max / USER_ZOOM.max;
const ZOOM_EXPONENT = 0.125;

/**
 * The bigger the player, the farther the camera: from 1.304 at spawn to the minimum at mass 2400, which spreads the
 * range over a match. The user zoom only moves closer, so nobody
 * sees more than their size allows.
 */
export function playerZoom(totalMass: number, userZoom: number = USER_ZOOM.min): number {
  const bySize = SPAWN_ZOOM * (SPAWN_MASS / Math.max(0.01, totalMass)) ** ZOOM_EXPONENT;
  const base = clamp(bySize, CAMERA_ZOOM.min, SPAWN_ZOOM);
  return Math.min(CAMERA_ZOOM.max, base * clampUserZoom(userZoom));
}

export function clampUserZoom(zoom: number): number {
  return clamp(zoom, USER_ZOOM.min, USER_ZOOM.max);
}

export function clampSpectatorZoom(zoom: number): number {
  return clamp(zoom, SPECTATOR_CAMERA.minZoom, SPECTATOR_CAMERA.maxZoom);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
