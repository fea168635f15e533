import { addSurplus, type PairEvidence } from './evidence.ts';
import type { Row } from './roster.ts';

/*
 * One hand behind two accounts. Somebody who plays two windows in turn moves a pointer again only when the other one rests. So
 * of all rests of one account that have lasted equally long, within the same minutes, those that end now are compared with
 * those that go on: is the partner's pointer moving? (This is the log-rank test.) Nobody else can bring it about: whoever
 * watches an account and moves while it rests cannot know when it will move again.
 */

/** A look is so many ticks long. */
const LOOK_TICKS = 5;
/** Rests are compared with those that begin within as many looks: people are livelier at some times than at others. */
const BLOCK_LOOKS = 600;
/** A shorter rest is a part of a movement. */
const LEAST_REST = 2;
/** A pointer that moves less is at rest. */
const MOVED = 4;

const GONE = 0;
const RESTING = 1;
const MOVING = 2;

/** What every account does, look by look, and where its pointer was. */
export type Pointers = {
  readonly states: Map<number, number[]>;
  readonly last: Map<number, { x: number; y: number }>;
  firstTick: number;
};

export function createPointers(): Pointers {
  return { states: new Map(), last: new Map(), firstTick: -1 };
}

/** Every step. */
export function lookAtPointers(
  into: Pointers,
  rows: readonly Row[],
  count: number,
  offsets: { readonly offsetX: Float64Array; readonly offsetY: Float64Array },
  tick: number,
): void {
  if (into.firstTick < 0) into.firstTick = tick;
  const look = Math.floor((tick - into.firstTick) / LOOK_TICKS);
  for (let i = 0; i < count; i++) {
    const { account, slot } = rows[i]!;
    if (account < 0) continue;
    const x = offsets.offsetX[slot]!;
    const y = offsets.offsetY[slot]!;
    const last = into.last.get(account);
    const isMoving = last !== undefined && Math.abs(x - last.x) + Math.abs(y - last.y) > MOVED;
    if (!last || isMoving) into.last.set(account, { x, y });
    let states = into.states.get(account);
    if (!states) {
      states = [];
      into.states.set(account, states);
    }
    while (states.length <= look) states.push(GONE);
    if (isMoving) states[look] = MOVING;
    else if (states[look] === GONE) states[look] = RESTING;
  }
}

/** After a movement: the look at which it begins, how many it lasts, and whether a movement ends it. */
type Rest = { readonly from: number; readonly length: number; readonly isEnded: boolean };

function restsOf(states: readonly number[]): Rest[] {
  const rests: Rest[] = [];
  for (let at = 1; at < states.length; at++) {
    if (states[at] !== RESTING || states[at - 1] !== MOVING) continue;
    let end = at;
    while (states[end] === RESTING) end++;
    rests.push({ from: at, length: end - at, isEnded: states[end] === MOVING });
    at = end;
  }
  return rests;
}

export function judgePointers(
  { states, firstTick }: Pointers,
  pairOf: (actor: number, partner: number) => PairEvidence,
): void {
  const accounts = [...states].map(([account, own]) => ({
    account,
    own,
    blocks: Map.groupBy(restsOf(own), ({ from }) => Math.floor(from / BLOCK_LOOKS)),
  }));
  for (const { account, blocks } of accounts) {
    for (const { account: partner, own: others, blocks: otherBlocks } of accounts) {
      // A pointer that never rests says nothing about whether others wait for it.
      if (partner === account || otherBlocks.size === 0) continue;
      for (const rests of blocks.values()) judgeBlock(rests, others, account, partner);
    }
  }

  function judgeBlock(
    rests: readonly Rest[],
    others: readonly number[],
    account: number,
    partner: number,
  ): void {
    const ages = new Set(
      rests.flatMap(({ length, isEnded }) => (isEnded && length >= LEAST_REST ? length : [])),
    );
    for (const age of ages) {
      let [all, moving, ended, endedMoving] = [0, 0, 0, 0];
      let lastEnd = 0;
      for (const { from, length, isEnded } of rests) {
        const state = others[from + age] ?? GONE;
        if (length < age || state === GONE || (length === age && !isEnded)) continue;
        const isEnding = length === age;
        all++;
        if (isEnding) {
          ended++;
          lastEnd = from + age;
        }
        if (state !== MOVING) continue;
        moving++;
        if (isEnding) endedMoving++;
      }
      // Either all of them end here, or the partner does the same in all of them.
      if (ended === all || moving === 0 || moving === all) continue;
      const share = moving / all;
      const variance = (ended * share * (1 - share) * (all - ended)) / (all - 1);
      const { waits, moments } = pairOf(account, partner);
      addSurplus(waits, { surplus: ended * share - endedMoving, variance, count: ended });
      if (endedMoving === 0 && share > 0.6) {
        moments.push({ tick: firstTick + lastEnd * LOOK_TICKS, what: 'waited' });
      }
    }
  }
}
