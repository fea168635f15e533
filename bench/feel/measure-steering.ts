import { type Rules, standardRules } from '@engulf/sim/rules';
import { createHand } from './hand.ts';
import { createChance, type Line } from './line.ts';
import { percentile } from './percentile.ts';
import { playSession } from './session.ts';

/** Alone in the arena: nobody disturbs what is measured. */
const ALONE: Rules = { ...standardRules, viruses: { ...standardRules.viruses, count: 0 } };

/** Units a second by which the shown speed may change from one frame to the next. */
const STUTTER_FROM_SPEED = 100;
/** A turn is seen when this share of it has been shown. */
const SEEN_FROM = 0.2;
const WARM_UP_MS = 2_000;

type Motion = { readonly atMs: number; readonly x: number; readonly y: number };

/** The share of frames in which a smoothly steered cell jerks, in percent. */
export function measureStutter(line: Line, seed: number, seconds: number): number {
  const { speeds } = steer(line, seed, seconds, false);
  const jumps = speeds.slice(1).map((speed, i) => Math.hypot(speed.x - speeds[i]!.x, speed.y - speeds[i]!.y));
  return (jumps.filter((jump) => jump > STUTTER_FROM_SPEED).length / jumps.length) * 100;
}

/** From hard turns of the pointer to the first frame that shows them, and what the room's answers corrected. */
export function measureTurns(line: Line, seed: number, seconds: number) {
  const { speeds, turns, corrections } = steer(line, seed, seconds, true);
  const waits = turns.flatMap((turn) => {
    const before = speeds.findLast(({ atMs }) => atMs < turn.atMs);
    const seen = before && speeds.find(({ atMs, x, y }) => atMs >= turn.atMs && isSeen(before, turn, x, y));
    return seen ? [seen.atMs - turn.atMs] : [];
  });
  return {
    pointerP50Ms: percentile(waits, 0.5),
    pointerP95Ms: percentile(waits, 0.95),
    correctionP50: percentile(corrections, 0.5),
    correctionP99: percentile(corrections, 0.99),
  };
}

function isSeen(before: Motion, turn: Motion, x: number, y: number): boolean {
  const speed = Math.hypot(before.x, before.y);
  const reach = Math.hypot(turn.x, turn.y);
  const wantedX = (turn.x / reach) * speed - before.x;
  const wantedY = (turn.y / reach) * speed - before.y;
  const shown = (x - before.x) * wantedX + (y - before.y) * wantedY;
  return shown > SEEN_FROM * (wantedX * wantedX + wantedY * wantedY);
}

function steer(line: Line, seed: number, seconds: number, hasHardTurns: boolean) {
  const speeds: Motion[] = [];
  const turns: Motion[] = [];
  const corrections: number[] = [];
  const hand = createHand({ chance: createChance(seed + 9), worldSize: ALONE.worldSize, hasHardTurns });
  let last: Motion | undefined;
  let startedMs = Number.NaN;
  playSession(
    { line, rules: ALONE, seed, seconds },
    (world) => {
      world.bodies.x[0] = ALONE.worldSize / 2;
      world.bodies.y[0] = ALONE.worldSize / 2;
      world.players.centreX[0] = ALONE.worldSize / 2;
      world.players.centreY[0] = ALONE.worldSize / 2;
    },
    {
      pointer(nowMs, { model }) {
        const turnedMs = hand.turnedMs;
        const pointer = hand.at(nowMs, model.frame.own!);
        if (hand.turnedMs !== turnedMs && isWarm(nowMs)) turns.push({ atMs: nowMs, ...pointer });
        return pointer;
      },
      onFrame({ own }, nowMs) {
        if (!own) return;
        if (Number.isNaN(startedMs)) startedMs = nowMs;
        if (last && isWarm(nowMs)) {
          const perSecond = 1000 / (nowMs - last.atMs);
          speeds.push({ atMs: nowMs, x: (own.x - last.x) * perSecond, y: (own.y - last.y) * perSecond });
        }
        last = { atMs: nowMs, x: own.x, y: own.y };
      },
      onUpdate({ model }) {
        if (isWarm(last?.atMs ?? 0)) corrections.push(model.correction());
      },
    },
  );
  return { speeds, turns, corrections };

  function isWarm(nowMs: number): boolean {
    return nowMs > startedMs + WARM_UP_MS;
  }
}
