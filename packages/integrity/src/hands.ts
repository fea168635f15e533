import type { PlayerEvidence } from './evidence.ts';
import { isInView, type Row } from './roster.ts';

/*
 * The hand behind the pointer. A person's pointer goes on in its direction, slows down and rests; a program jumps from goal
 * to goal, or trembles without inertia. And nobody turns within a tenth of a second after something came into view.
 */

/** Sooner than any person, even without the network between. */
const REACTION_TICKS = 3;
/** A turn of more than about 20 degrees. */
const TURN_COSINE = 0.94;
/** Came into view: was not there for this long. */
const UNSEEN_TICKS = 50;
const MOVED = 2;

type Hand = {
  x: number;
  y: number;
  dx: number;
  dy: number;
  /** Did the pointer move in the step before? */
  wasMoving: boolean;
  /** When it began to move, the last time; -1 before. */
  startTick: number;
  reach: number;
  /** Directions of the last steps. */
  readonly aims: { x: number; y: number }[];
  /** The ticks at which somebody came into view and nothing has been decided yet. */
  pending: number[];
  /** How often there was a turn within any so many ticks, and how often not. */
  turned: number;
  looked: number;
  hits: number;
  appearances: number;
};

export type Hands = { readonly hands: Map<number, Hand>; readonly seenAt: Map<number, number> };

export function createHands(): Hands {
  return { hands: new Map(), seenAt: new Map() };
}

/** Every step. */
export function lookAtHands(
  { hands, seenAt }: Hands,
  rows: readonly Row[],
  count: number,
  offsets: { readonly offsetX: Float64Array; readonly offsetY: Float64Array },
  tick: number,
  playerOf: (account: number) => PlayerEvidence,
): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    if (row.account < 0) continue;
    const x = offsets.offsetX[row.slot]!;
    const y = offsets.offsetY[row.slot]!;
    let hand = hands.get(row.account);
    if (!hand) {
      hand = {
        x,
        y,
        dx: 0,
        dy: 0,
        wasMoving: false,
        startTick: -1,
        reach: Math.hypot(x, y),
        aims: [],
        pending: [],
        turned: 0,
        looked: 0,
        hits: 0,
        appearances: 0,
      };
      hands.set(row.account, hand);
    }
    notePath(hand, x, y, tick, playerOf(row.account));
    noteTurn(hand, row, tick);
    for (let k = 0; k < count; k++) {
      const other = rows[k]!;
      if (k === i || !isInView(row, other)) continue;
      const key = row.slot * 65_536 + other.slot;
      const last = seenAt.get(key);
      seenAt.set(key, tick);
      if (last !== undefined && tick - last > UNSEEN_TICKS) hand.pending.push(tick);
    }
  }
}

function notePath(hand: Hand, x: number, y: number, tick: number, { hand: sums }: PlayerEvidence): void {
  const dx = x - hand.x;
  const dy = y - hand.y;
  const isMoving = Math.abs(dx) + Math.abs(dy) > MOVED;
  const reach = Math.hypot(x, y);
  sums.ticks++;
  if (isMoving) {
    if (!hand.wasMoving) noteStart(hand, tick, sums);
    sums.changes++;
    sums.along += dx * hand.dx + dy * hand.dy;
    sums.squares += dx * dx + dy * dy;
    if (Math.abs(reach - hand.reach) <= MOVED) sums.sameReach++;
  } else if (hand.wasMoving && hand.dx * hand.dx + hand.dy * hand.dy > 40 * 40) sums.jumps++;
  hand.dx = isMoving ? dx : 0;
  hand.dy = isMoving ? dy : 0;
  hand.wasMoving = isMoving;
  hand.reach = reach;
  hand.x = x;
  hand.y = y;
}

function noteStart(hand: Hand, tick: number, sums: PlayerEvidence['hand']): void {
  if (hand.startTick >= 0) {
    const gap = Math.log(tick - hand.startTick);
    sums.starts++;
    sums.gaps += gap;
    sums.gapSquares += gap * gap;
  }
  hand.startTick = tick;
}

function noteTurn(hand: Hand, { aimX, aimY }: Row, tick: number): void {
  hand.aims.push({ x: aimX, y: aimY });
  if (hand.aims.length <= REACTION_TICKS) return;
  const before = hand.aims.shift()!;
  const hasTurned = before.x * aimX + before.y * aimY < TURN_COSINE;
  hand.looked++;
  if (hasTurned) hand.turned++;
  while (hand.pending.length > 0 && tick - hand.pending[0]! >= REACTION_TICKS) {
    hand.pending.shift();
    hand.appearances++;
    if (hasTurned) hand.hits++;
  }
}

export function judgeHands({ hands }: Hands, playerOf: (account: number) => PlayerEvidence): void {
  for (const [account, { hits, appearances, turned, looked }] of hands) {
    if (looked === 0 || appearances === 0) continue;
    const { quick } = playerOf(account);
    quick.hits += hits;
    quick.expected += appearances * Math.max(turned / looked, 0.02);
  }
}
