import { addSurplus, type PairEvidence, type PlayerEvidence } from './evidence.ts';
import { isInView, type Row } from './roster.ts';

/*
 * Who sees more than the page shows. While nobody is on somebody's screen, its direction is compared with where others are that
 * it cannot see, and with where they were at other times of the same match. Somebody who does not know points at both alike.
 */

const APART_TICKS = 40;
/** Beyond the edge of the screen, and unseen for this long. */
const MARGIN = 60;
const FORGOTTEN_SECONDS = 4;
const FARTHEST = 4_000;
const DECOYS = 12;
/** Decoys come from times at least this far away: a moment later everybody is still there. */
const OTHER_TIME_SECONDS = 12;

type Turn = {
  readonly account: number;
  readonly second: number;
  readonly tick: number;
  readonly row: Row;
};

/** Everybody's place, once a second: x, y and mass by account, NaN for those who do not live. */
type Places = { readonly x: Float32Array; readonly y: Float32Array; readonly mass: Float32Array };

export type Turns = {
  readonly turns: Turn[];
  readonly places: Places[];
  readonly lastLook: Map<number, number>;
};

export function createTurns(): Turns {
  return { turns: [], places: [], lastLook: new Map() };
}

export function notePlaces({ places }: Turns, rows: readonly Row[], count: number, accounts: number): void {
  const x = new Float32Array(accounts).fill(Number.NaN);
  const at: Places = { x, y: x.slice(), mass: x.slice() };
  for (let i = 0; i < count; i++) {
    const { account, x: rowX, y: rowY, massMilli } = rows[i]!;
    if (account < 0) continue;
    at.x[account] = rowX;
    at.y[account] = rowY;
    at.mass[account] = massMilli;
  }
  places.push(at);
}

/** Once per look. `isQuiet`: no portal draws everybody to one place. */
export function lookForTurns(
  into: Turns,
  rows: readonly Row[],
  count: number,
  tick: number,
  isQuiet: boolean,
): void {
  const second = into.places.length - 1;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    if (row.account < 0) continue;
    let isBusy = false;
    for (let k = 0; k < count; k++) {
      if (k === i || !isInView(row, rows[k]!, MARGIN)) continue;
      isBusy = true;
      break;
    }
    if (tick - (into.lastLook.get(row.account) ?? -APART_TICKS) < APART_TICKS) continue;
    // Somebody in view explains a course better than anybody who is not.
    if (!isQuiet || isBusy || second < 0) continue;
    into.lastLook.set(row.account, tick);
    into.turns.push({ account: row.account, second, tick, row: { ...row } });
  }
}

export function judgeTurns(
  { turns, places }: Turns,
  accounts: number,
  massRatio: number,
  random: () => number,
  playerOf: (account: number) => PlayerEvidence,
  pairOf: (actor: number, partner: number) => PairEvidence,
): void {
  if (places.length < 3 * OTHER_TIME_SECONDS) return;
  for (const turn of turns) {
    const here = places[turn.second]!;
    const times = decoyTimes(turn.second, places.length, random);
    const prey = alignmentWithPrey(turn, here, accounts, massRatio);
    if (prey !== undefined) {
      const decoys = times.flatMap(
        (time) => alignmentWithPrey(turn, places[time]!, accounts, massRatio) ?? [],
      );
      const rank = rankOf(prey, decoys);
      if (rank !== undefined) {
        const evidence = playerOf(turn.account);
        addSurplus(evidence.sight, { surplus: rank - 0.5, variance: 1 / 12, count: 1 });
        if (rank > 0.9) evidence.moments.push({ tick: turn.tick, what: 'sight' });
      }
    }
    for (let partner = 0; partner < accounts; partner++) {
      if (partner === turn.account || !wasUnseen(turn, places, partner)) continue;
      const towards = alignmentWith(turn, here, partner);
      if (towards === undefined) continue;
      const rank = rankOf(
        towards,
        times.flatMap((time) => alignmentWith(turn, places[time]!, partner) ?? []),
      );
      if (rank === undefined) continue;
      addSurplus(pairOf(turn.account, partner).seek, { surplus: rank - 0.5, variance: 1 / 12, count: 1 });
    }
  }
}

function decoyTimes(second: number, count: number, random: () => number): number[] {
  const times: number[] = [];
  for (let tries = 0; times.length < DECOYS && tries < 4 * DECOYS; tries++) {
    const time = Math.floor(random() * count);
    if (Math.abs(time - second) >= OTHER_TIME_SECONDS) times.push(time);
  }
  return times;
}

/** The share of decoys that lie below, ties by half; undefined if too few exist. */
function rankOf(value: number, decoys: readonly number[]): number | undefined {
  if (decoys.length < DECOYS / 2) return undefined;
  let below = 0.5;
  for (const decoy of decoys) below += decoy < value ? 1 : decoy === value ? 0.5 : 0;
  return below / (decoys.length + 1);
}

function alignmentWithPrey(
  { account, row }: Turn,
  at: Places,
  accounts: number,
  massRatio: number,
): number | undefined {
  let nearest = FARTHEST;
  let aligned: number | undefined;
  for (let other = 0; other < accounts; other++) {
    if (other === account || !(at.mass[other]! * massRatio <= row.massMilli)) continue;
    const dx = at.x[other]! - row.x;
    const dy = at.y[other]! - row.y;
    if (isOnScreen(row, dx, dy)) continue;
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (distance >= nearest) continue;
    nearest = distance;
    aligned = (row.aimX * dx + row.aimY * dy) / distance;
  }
  return aligned;
}

function alignmentWith({ row }: Turn, at: Places, partner: number): number | undefined {
  const dx = at.x[partner]! - row.x;
  const dy = at.y[partner]! - row.y;
  if (Number.isNaN(dx) || isOnScreen(row, dx, dy)) return undefined;
  return (row.aimX * dx + row.aimY * dy) / Math.sqrt(dx * dx + dy * dy);
}

function isOnScreen({ halfWidth, halfHeight }: Row, dx: number, dy: number): boolean {
  return Math.abs(dx) < halfWidth + MARGIN && Math.abs(dy) < halfHeight + MARGIN;
}

/** Out of view for a while: nobody is followed into the dark from memory. */
function wasUnseen({ row, second }: Turn, places: readonly Places[], partner: number): boolean {
  for (let back = 0; back <= FORGOTTEN_SECONDS; back++) {
    const at = places[Math.max(0, second - back)]!;
    if (isOnScreen(row, at.x[partner]! - row.x, at.y[partner]! - row.y)) return false;
  }
  return true;
}
