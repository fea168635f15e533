import type { Body } from '../playout/bodies.ts';

/** A swallow animation: the prey shrinks into its eater. */
export type Gulp = {
  readonly kind: 'food' | 'massFood' | 'cell';
  /** Index into PLAYER_COLOURS, or into FOOD_COLOURS for food. */
  readonly colour: number;
  readonly fromX: number;
  readonly fromY: number;
  readonly fromRadius: number;
  readonly eater: Body;
  readonly startedMs: number;
  readonly durationMs: number;
  x: number;
  y: number;
  radius: number;
};

const GULP_MS = { food: 140, massFood: 180, cell: 300 } as const;

export function startGulp(
  gulps: Gulp[],
  prey: Pick<Gulp, 'kind' | 'colour'> & { x: number; y: number; radius: number },
  eater: Body,
  nowMs: number,
): void {
  const { kind, colour, x, y, radius } = prey;
  gulps.push({
    kind,
    colour,
    fromX: x,
    fromY: y,
    fromRadius: radius,
    eater,
    startedMs: nowMs,
    durationMs: GULP_MS[kind],
    x,
    y,
    radius,
  });
  // Small prey does not make the eater bulge.
  if (radius > eater.radius * 0.16) eater.gulpedAtMs = nowMs;
}

/** Advances every animation and drops the finished ones. */
export function advanceGulps(gulps: Gulp[], nowMs: number): void {
  let kept = 0;
  for (const gulp of gulps) {
    const share = (nowMs - gulp.startedMs) / gulp.durationMs;
    if (share >= 1) continue;
    const eased = share * share;
    gulp.x = gulp.fromX + (gulp.eater.x - gulp.fromX) * eased;
    gulp.y = gulp.fromY + (gulp.eater.y - gulp.fromY) * eased;
    gulp.radius = gulp.fromRadius * (1 - eased);
    gulps[kept] = gulp;
    kept++;
  }
  gulps.length = kept;
}

const BULGE_MS = 420;

/** Scale of an eater: it overshoots and swings back. */
export function bulge(body: Body, nowMs: number): number {
  const share = (nowMs - body.gulpedAtMs) / BULGE_MS;
  if (share < 0 || share >= 1) return 1;
  return 1 + 0.05 * Math.sin(share * 3 * Math.PI) * (1 - share) ** 2;
}
