import type { Frame, FrameCost } from '../model/frame/frame.ts';
import { minimapLabel, minimapMarker } from '../model/frame/map-grid.ts';
import { portalTimer } from '../model/frame/portals.ts';
import type { HudSight, HudStore } from './hud-store.ts';

const REPORT_EVERY_MS = 100;
const DEBUG_EVERY_MS = 500;
/** A fainter portal is fading out. */
const LISTED_FROM_OPACITY = 0.12;

type FrameReportDeps = {
  readonly hud: HudStore;
  readonly isSpectator: boolean;
  readonly isDebugging: () => boolean;
};

/** Copies what the panels need from the frames, at most ten times a second and only when it changed. */
export function reportFrames(deps: FrameReportDeps): {
  onFrame(frame: Frame, cost: FrameCost): void;
} {
  const { hud, isSpectator } = deps;
  let reportedMs = Number.NEGATIVE_INFINITY;
  let window = { sinceMs: 0, frames: 0, sumMs: 0 };
  return {
    onFrame(frame, cost) {
      window.frames++;
      window.sumMs += cost.frameMs;
      if (frame.nowMs - reportedMs < REPORT_EVERY_MS) return;
      reportedMs = frame.nowMs;
      const { phase, sight } = hud.getState();
      const isReady = isSpectator ? frame.portalTiming !== undefined : frame.own !== undefined;
      if (phase === 'loading' && isReady) hud.setState({ phase: 'playing' });
      const seen = readSight(frame, isSpectator);
      if (!isSameSight(sight, seen)) hud.setState({ sight: seen });
      if (frame.nowMs - window.sinceMs < DEBUG_EVERY_MS) return;
      if (deps.isDebugging()) reportDebug(frame, cost);
      window = { sinceMs: frame.nowMs, frames: 0, sumMs: 0 };
    },
  };

  function reportDebug(frame: Frame, { renderer, delayMs }: FrameCost): void {
    const { own } = frame;
    const passedS = (frame.nowMs - window.sinceMs) / 1000;
    hud.setState({
      debug: {
        framesPerSecond: Math.round(window.frames / passedS),
        frameMs: window.sumMs / window.frames,
        renderer,
        cells: frame.cells.length,
        food: frame.food.shown.size,
        tick: Math.floor(frame.tick),
        delayMs: Math.round(delayMs),
        own: own && {
          x: Math.round(own.x),
          y: Math.round(own.y),
          mass: Math.round(own.mass),
          cellCount: own.cellCount,
        },
      },
    });
  }
}

function readSight(frame: Frame, isSpectator: boolean): HudSight {
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
    mass: own && Math.round(own.mass),
    reward: own?.player.reward,
    cellCount: own?.cellCount ?? 0,
    isNearVirus: own !== undefined && frame.viruses.some((virus) => isBeside(own, virus)),
    view: viewOnMap(frame),
    tide: tideOnMap(frame),
    others: isSpectator
      ? frame.known
          .filter(({ kind }) => kind === 'cell')
          .map(({ id, x, y, colour, radius }) => ({
            id,
            colour,
            size: Math.round(radius / 20),
            ...roundedMarker(x, y, worldSize),
          }))
      : [],
  };
}

/** From edge to centre, in world units. */
const BESIDE = 220;

function isBeside(own: { x: number; y: number }, virus: { x: number; y: number; radius: number }): boolean {
  return Math.hypot(own.x - virus.x, own.y - virus.y) < virus.radius + BESIDE;
}

/** Less than this of the world is not worth a notice. */
const WORTH_A_NOTICE = 0.03;

function tideOnMap({ tide, worldSize }: Frame): HudSight['tide'] {
  const size = thousandth(tide.size / worldSize);
  const goal = thousandth(tide.goal / worldSize);
  const isWorthIt = Math.abs(goal - size) > WORTH_A_NOTICE;
  const news = isWorthIt ? (goal < size ? 'rising' : 'falling') : undefined;
  return { size, goal, news, secondsLeft: news === 'rising' ? Math.ceil(tide.secondsToRise) : 0 };
}

/** Cut off at the edges of the map. */
function viewOnMap({ camera, worldSize }: Frame): HudSight['view'] {
  const part = (middle: number, sizePx: number) => {
    const half = sizePx / 2 / camera.scale;
    const from = Math.max(0, (middle - half) / worldSize);
    const to = Math.min(1, (middle + half) / worldSize);
    return { from: thousandth(from), size: thousandth(Math.max(0, to - from)) };
  };
  const across = part(camera.x, camera.widthPx);
  const down = part(camera.y, camera.heightPx);
  return { left: across.from, top: down.from, width: across.size, height: down.size };
}

function isSameSight(a: HudSight, b: HudSight): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** To a thousandth: finer steps are invisible on the map but would redraw it. */
function roundedMarker(x: number, y: number, worldSize: number) {
  const { left, top } = minimapMarker(x, y, worldSize);
  return { left: thousandth(left), top: thousandth(top) };
}

function thousandth(share: number): number {
  return Math.round(share * 1000) / 1000;
}
