/** Where something was, for the latest few ticks that were heard of. */
export type Motion = {
  readonly ticks: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly radii: Float64Array;
  /** How many samples were recorded in all; the latest one lies at (count − 1) mod length. */
  count: number;
};

/** A place between two samples. */
export type Pose = { x: number; y: number; radius: number };

/** At 25 ticks a second these reach back a third of a second, well beyond the longest delay. */
const KEPT_SAMPLES = 8;
/** How far a body may glide on past its latest sample before it waits for news. */
const MAX_GLIDE_TICKS = 1.5;

export function createMotion(): Motion {
  return {
    ticks: new Float64Array(KEPT_SAMPLES),
    xs: new Float64Array(KEPT_SAMPLES),
    ys: new Float64Array(KEPT_SAMPLES),
    radii: new Float64Array(KEPT_SAMPLES),
    count: 0,
  };
}

/** Samples come in the order of their ticks. */
export function recordSample(motion: Motion, tick: number, x: number, y: number, radius: number): void {
  const at = motion.count % KEPT_SAMPLES;
  motion.ticks[at] = tick;
  motion.xs[at] = x;
  motion.ys[at] = y;
  motion.radii[at] = radius;
  motion.count++;
}

export function lastSampleTick(motion: Motion): number {
  return motion.ticks[(motion.count - 1) % KEPT_SAMPLES]!;
}

/** Sets `pose` to where the body was at `tick`, which may lie between two samples or a little past the last. */
export function poseAt(motion: Motion, tick: number, pose: Pose): void {
  const last = motion.count - 1;
  const oldest = Math.max(0, motion.count - KEPT_SAMPLES);
  let after = last;
  while (after > oldest && motion.ticks[(after - 1) % KEPT_SAMPLES]! >= tick) after -= 1;
  const b = after % KEPT_SAMPLES;
  if (after === oldest) {
    pose.x = motion.xs[b]!;
    pose.y = motion.ys[b]!;
    pose.radius = motion.radii[b]!;
    return;
  }
  const a = (after - 1) % KEPT_SAMPLES;
  const span = motion.ticks[b]! - motion.ticks[a]!;
  const share = Math.min((tick - motion.ticks[a]!) / span, 1 + MAX_GLIDE_TICKS / span);
  pose.x = motion.xs[a]! + (motion.xs[b]! - motion.xs[a]!) * share;
  pose.y = motion.ys[a]! + (motion.ys[b]! - motion.ys[a]!) * share;
  pose.radius = motion.radii[a]! + (motion.radii[b]! - motion.radii[a]!) * Math.min(share, 1);
}
