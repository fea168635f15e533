import type { ArenaView } from '@engulf/netcode/decode/arena-view';
import type { Body } from '../playout/bodies.ts';

/** The dry square as it is drawn. */
export type ShownTide = {
  /** Along one side. */
  size: number;
  /** Where it is heading. */
  goal: number;
  /** Until the water comes in; 0 while it moves, or has nothing to do. */
  secondsToRise: number;
  /** It would come in, but waits for somebody. */
  isHeld: boolean;
};

/** How long the drawn shore takes to follow: the room moves it tick by tick. */
const FOLLOWS_MS = 80;
/** Farther than this it is another world, or another moment of a recording. */
const FOLLOWS_WITHIN = 200;

export function createShownTide(size: number): ShownTide {
  return { size, goal: size, secondsToRise: 0, isHeld: false };
}

export function showTide(shown: ShownTide, { tide, world, tick }: ArenaView, elapsedMs: number): void {
  if (!world || tide.size <= 0) return;
  const off = tide.size - shown.size;
  const isNear = Math.abs(off) < FOLLOWS_WITHIN;
  shown.size = isNear ? shown.size + off * (1 - Math.exp(-elapsedMs / FOLLOWS_MS)) : tide.size;
  shown.goal = tide.goal;
  const isRising = tide.goal < tide.size;
  shown.isHeld = isRising && tide.isHeld;
  shown.secondsToRise = isRising ? Math.max(0, (tide.risesAtTick - tick) / world.ticksPerSecond) : 0;
}

/** A cell at the shore is flattened there: how far the middle of what is left has moved inland. */
export function pushedFromShore(
  { worldSize, tide }: { readonly worldSize: number; readonly tide: ShownTide },
  { x, y, radius }: Pick<Body, 'x' | 'y' | 'radius'>,
): { readonly x: number; readonly y: number } {
  const near = (worldSize - tide.size) / 2;
  const far = worldSize - near;
  const push = (at: number) => (Math.max(0, near + radius - at) - Math.max(0, at + radius - far)) / 2;
  return { x: push(x), y: push(y) };
}
