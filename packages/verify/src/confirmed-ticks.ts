import { type InputClaim, wasSeen } from '@engulf/sim/recording/input-statement';

/** Between updates that are farther apart, a pointer could have been somewhere else for long. */
const BLIND_SECONDS = 0.4;

export type Stretch = { readonly from: number; readonly to: number };

/** The ticks after `from` up to `to` for which a player's own word stands, in order. */
export function confirmedBy(claims: readonly InputClaim[], stepsPerSecond: number): Stretch[] {
  const blindTicks = Math.round(BLIND_SECONDS * stepsPerSecond);
  const stretches: Stretch[] = [];
  for (const claim of claims) {
    let last = claim.from;
    for (let tick = claim.from + 1; tick <= claim.to; tick++) {
      if (!wasSeen(claim, tick)) continue;
      if (tick - last <= blindTicks) add(stretches, { from: last, to: tick });
      last = tick;
    }
  }
  return stretches;
}

function add(stretches: Stretch[], { from, to }: Stretch): void {
  const last = stretches.at(-1);
  if (last && from <= last.to)
    stretches[stretches.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  else stretches.push({ from, to });
}

/** When a player was in the arena, without the times at which its line was down. */
export function presence(joined: number, left: number, breaks: readonly number[]): Stretch[] {
  const ends = [joined, ...breaks.map((tick) => Math.min(tick, left)), left];
  const present: Stretch[] = [];
  for (let index = 0; index + 1 < ends.length; index += 2) {
    const [from, to] = [ends[index]!, ends[index + 1]!];
    if (to > from) present.push({ from, to });
  }
  return present;
}

export function ticksIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** What is in the first and not in the second, both in order. */
export function without(stretches: readonly Stretch[], taken: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  for (const { from, to } of stretches) {
    let at = from;
    for (const hole of taken) {
      if (hole.to <= at || hole.from >= to) continue;
      if (hole.from > at) left.push({ from: at, to: hole.from });
      at = hole.to;
    }
    if (at < to) left.push({ from: at, to });
  }
  return left;
}
