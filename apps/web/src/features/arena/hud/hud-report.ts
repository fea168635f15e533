import type { Frame } from '../model/frame.ts';
import { isSameSight, readSight } from './hud-sight.ts';
import type { HudStore } from './hud-state.ts';

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
