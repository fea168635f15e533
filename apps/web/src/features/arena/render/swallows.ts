import type { Frame, ShownPortal } from '../model/frame/frame.ts';
import type { Gulp } from '../model/frame/gulps.ts';
import { type Body, isEaten } from '../model/playout/bodies.ts';

/** How a cell leaves the screen. */
export type Swallow = {
  readonly kind: 'engulfed' | 'merged' | 'portal' | 'faded';
  readonly prey: Body;
  readonly eater: Body | undefined;
  readonly startedMs: number;
  readonly durationMs: number;
  /** Where it starts and where it goes, relative to the eater if there is one. */
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
};

const SWALLOW_MS = { engulfed: 440, merged: 240, portal: 600, faded: 160 } as const;

/** Own cells are shown ahead of the others, so their eater may not have arrived when they disappear. */
const OWN_EATER_REACH = 2.2;

/** Decides how a cell that is no longer in sight disappeared. Undefined if it only left the view. */
export function startSwallow(prey: Body, frame: Frame, hasMotion: boolean): Swallow | undefined {
  if (!isEaten(prey) && !prey.isOwn) return undefined;
  if (!hasMotion) return leave('faded', prey, undefined, frame, prey.x, prey.y);
  const portal = frame.portals.find((each) => isInPortal(prey, each));
  const gulp = frame.gulps.find((each) => isGulpOf(each, prey, frame));
  if (portal && !gulp) return leave('portal', prey, undefined, frame, portal.x, portal.y);
  const eater = gulp?.eater ?? (prey.isOwn ? nearestEater(prey, frame) : undefined);
  if (!eater) return undefined;
  const isSibling = eater.player !== undefined && eater.player === prey.player;
  return leave(isSibling ? 'merged' : 'engulfed', prey, eater, frame, 0, 0);
}

/** From 0 to 1. */
export function shareOf({ startedMs, durationMs }: Swallow, nowMs: number): number {
  return Math.min(1, (nowMs - startedMs) / durationMs);
}

/** Where the prey is, relative to the eater if there is one, and how large. */
export function placeOf(swallow: Swallow, nowMs: number): { x: number; y: number; radius: number } {
  const share = shareOf(swallow, nowMs);
  const { kind, fromX, fromY, toX, toY, prey } = swallow;
  const along = kind === 'portal' ? share ** 2 : share * share * (3 - 2 * share) * 0.22;
  const kept = {
    engulfed: 1 - 0.42 * share * share,
    merged: 1 - share ** 2,
    portal: 1 - share ** 3,
    faded: 1,
  }[kind];
  return {
    x: fromX + (toX - fromX) * along,
    y: fromY + (toY - fromY) * along,
    radius: Math.max(1, prey.radius * kept),
  };
}

/** How far the lips have closed, from 0 to 1. */
export function closedShare(swallow: Swallow, nowMs: number): number {
  const share = Math.min(1, Math.max(0, (shareOf(swallow, nowMs) - 0.2) / 0.76));
  return share * share * (3 - 2 * share);
}

function leave(
  kind: Swallow['kind'],
  prey: Body,
  eater: Body | undefined,
  { nowMs }: Frame,
  toX: number,
  toY: number,
): Swallow {
  const fromX = prey.x - (eater?.x ?? 0);
  const fromY = prey.y - (eater?.y ?? 0);
  return { kind, prey, eater, startedMs: nowMs, durationMs: SWALLOW_MS[kind], fromX, fromY, toX, toY };
}

function isInPortal(cell: Body, portal: ShownPortal): boolean {
  const isOpen = portal.isOpen || portal.opacity > 0.5;
  return isOpen && Math.hypot(cell.x - portal.x, cell.y - portal.y) < portal.radius + cell.radius * 0.5;
}

/** The model starts a gulp in the frame in which the prey disappears, at its last position. */
function isGulpOf(gulp: Gulp, prey: Body, { nowMs }: Frame): boolean {
  const isNew = gulp.kind === 'cell' && gulp.startedMs === nowMs;
  return isNew && Math.abs(gulp.fromX - prey.x) < 1 && Math.abs(gulp.fromY - prey.y) < 1;
}

function nearestEater(prey: Body, { cells }: Frame): Body | undefined {
  let eater: Body | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    if (cell.radius <= prey.radius || cell.player === prey.player) continue;
    const distance = Math.hypot(cell.x - prey.x, cell.y - prey.y);
    if (distance > cell.radius + prey.radius * OWN_EATER_REACH || distance >= nearest) continue;
    nearest = distance;
    eater = cell;
  }
  return eater;
}
