/** The latest positions of a body, as a ring buffer. */
export type Motion = {
  readonly ticks: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly radii: Float64Array;
  /** Samples recorded in total; the latest is at (count − 1) mod length. */
  count: number;
};

/** An interpolated position. */
export type Pose = { x: number; y: number; radius: number };

/** Two thirds of a second at 25 ticks a second: enough for the longest playout delay plus a stall of the connection. */
const KEPT_SAMPLES = 16;
/** How far a body is extrapolated past its latest sample. */
const MAX_EXTRAPOLATED_TICKS = 1.5;
/** For a guess at where it will be: from which past, and for how long. */
const LATELY_TICKS = 2;
const MAX_AHEAD_TICKS = 15;

export function createMotion(): Motion {
  return {
    ticks: new Float64Array(KEPT_SAMPLES),
    xs: new Float64Array(KEPT_SAMPLES),
    ys: new Float64Array(KEPT_SAMPLES),
    radii: new Float64Array(KEPT_SAMPLES),
    count: 0,
  };
}

/** Samples must be recorded in tick order. */
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

/** Sets `pose` to the position at `tick`, interpolated, or extrapolated a little past the last sample. */
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
  const share = Math.min((tick - motion.ticks[a]!) / span, 1 + MAX_EXTRAPOLATED_TICKS / span);
  pose.x = motion.xs[a]! + (motion.xs[b]! - motion.xs[a]!) * share;
  pose.y = motion.ys[a]! + (motion.ys[b]! - motion.ys[a]!) * share;
  pose.radius = motion.radii[a]! + (motion.radii[b]! - motion.radii[a]!) * Math.min(share, 1);
}

/** Sets `pose` to where the body will be at `tick` if it goes on as it went lately. */
export function aheadOf(motion: Motion, tick: number, pose: Pose): void {
  const last = lastSampleTick(motion);
  const first = Math.max(
    last - LATELY_TICKS,
    motion.ticks[Math.max(0, motion.count - KEPT_SAMPLES) % KEPT_SAMPLES]!,
  );
  poseAt(motion, first, pose);
  const { x, y } = pose;
  poseAt(motion, last, pose);
  if (last <= first) return;
  const share = Math.min(MAX_AHEAD_TICKS, Math.max(0, tick - last)) / (last - first);
  pose.x += (pose.x - x) * share;
  pose.y += (pose.y - y) * share;
}
