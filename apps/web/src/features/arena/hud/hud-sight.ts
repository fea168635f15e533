import type { Frame } from '../model/frame.ts';
import { minimapLabel, minimapMarker } from '../model/map-grid.ts';
import { portalTimer } from '../model/portal-state.ts';
import type { HudSight } from './hud-state.ts';

/** A portal fainter than this is on its way out. */
const LISTED_FROM_OPACITY = 0.12;

export function readSight(frame: Frame, isSpectator: boolean): HudSight {
  const { own, worldSize } = frame;
  return {
    portalTimer: portalTimer(frame.portalTiming),
    portals: frame.portals
      .filter(({ opacity }) => opacity > LISTED_FROM_OPACITY)
      .map(({ id, x, y, isOpen, secondsLeft }) => ({
        id,
        ...roundedMarker(x, y, worldSize),
        field: minimapLabel(x, y, worldSize),
        isOpen,
        secondsLeft: Math.ceil(secondsLeft),
      })),
    own: own && roundedMarker(own.x, own.y, worldSize),
    others: isSpectator
      ? frame.cells.map(({ id, x, y, colour, radius }) => ({
          id,
          colour,
          size: Math.round(radius / 20),
          ...roundedMarker(x, y, worldSize),
        }))
      : [],
  };
}

export function isSameSight(a: HudSight, b: HudSight): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** To a thousandth: finer steps cannot be seen on the map, but would draw it anew. */
function roundedMarker(x: number, y: number, worldSize: number) {
  const { left, top } = minimapMarker(x, y, worldSize);
  return { left: Math.round(left * 1000) / 1000, top: Math.round(top * 1000) / 1000 };
}
