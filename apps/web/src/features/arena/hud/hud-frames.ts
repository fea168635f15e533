import type { Frame } from '../model/frame.ts';
import { minimapLabel, minimapMarker } from '../model/map-grid.ts';
import { portalTimer } from '../model/portals.ts';
import type { HudSight, HudStore } from './hud-store.ts';

const REPORT_EVERY_MS = 100;
const DEBUG_EVERY_MS = 500;

export type HudReportDeps = {
  readonly hud: HudStore;
  readonly isSpectator: boolean;
  readonly isDebugging: () => boolean;
  readonly renderer: string;
  readonly delayMs: () => number;
  readonly bytesReceived: () => number;
};

/** Hands the panels what the frames say, ten times a second at most and only when it changed. */
export function createHudReport(deps: HudReportDeps): (frame: Frame, frameMs: number) => void {
  const { hud, isSpectator } = deps;
  let reportedMs = Number.NEGATIVE_INFINITY;
  let window = { sinceMs: 0, frames: 0, sumMs: 0, bytes: 0 };
  return (frame, frameMs) => {
    window.frames++;
    window.sumMs += frameMs;
    if (frame.nowMs - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = frame.nowMs;
    const { phase, sight } = hud.getState();
    const isReady = isSpectator ? frame.portalTiming !== undefined : frame.own !== undefined;
    if (phase === 'loading' && isReady) hud.setState({ phase: 'playing' });
    const seen = readSight(frame, isSpectator);
    if (!isSameSight(sight, seen)) hud.setState({ sight: seen });
    if (frame.nowMs - window.sinceMs >= DEBUG_EVERY_MS) reportDebug(frame);
  };

  function reportDebug(frame: Frame): void {
    const sinceMs = frame.nowMs - window.sinceMs;
    const bytes = deps.bytesReceived();
    if (deps.isDebugging()) {
      hud.setState({
        debug: {
          framesPerSecond: Math.round((window.frames * 1000) / sinceMs),
          frameMs: window.sumMs / window.frames,
          renderer: deps.renderer,
          cells: frame.cells.length,
          food: frame.food.shown.size,
          tick: Math.floor(frame.tick),
          delayMs: Math.round(deps.delayMs()),
          bytesPerSecond: Math.round(((bytes - window.bytes) * 1000) / sinceMs),
          own: frame.own && {
            x: Math.round(frame.own.x),
            y: Math.round(frame.own.y),
            mass: Math.round(frame.own.mass),
            cellCount: frame.own.cellCount,
          },
        },
      });
    }
    window = { sinceMs: frame.nowMs, frames: 0, sumMs: 0, bytes };
  }
}

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
