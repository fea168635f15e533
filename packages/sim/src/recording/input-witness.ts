import type { PlayerId } from '../players.ts';
import { quantisePointer } from '../pointer.ts';
import {
  hashRows,
  type InputClaim,
  type InputRow,
  isNews,
  MAX_CLAIM_TICKS,
  MAX_DELAY_TICKS,
  seenBytes,
} from './input-statement.ts';

/*
 * A player's side of a claim: which of its inputs the updates say were taken, and when. Claims follow each other without a
 * gap while the line holds.
 */

export type WitnessedClaim = { readonly claim: InputClaim; readonly rowsHash: Uint8Array };

type SentInput = { readonly type: 'steer' | 'split' | 'eject'; readonly x: number; readonly y: number };

export type InputWitness = {
  /** An input is being sent under this number, modulo 256. */
  noteSent(number: number, input: SentInput): void;
  /** On another line than before: what was not acknowledged may have been lost. */
  noteLine(): void;
  /** Which inputs were taken is not known any more: what was not claimed yet never will be. */
  forget(): void;
  /** An update has come. Undefined for a player without a body. Returns a claim that is ready to be signed. */
  noteUpdate(tick: number, acknowledged: number, player: PlayerId | undefined): WitnessedClaim | undefined;
};

type Sent = SentInput & { readonly number: number; readonly line: number; readonly seenTick: number };

/** As far as it has come; the last tick that was seen is `to`. */
type OpenClaim = {
  readonly player: PlayerId;
  readonly from: number;
  to: number;
  readonly seen: number[];
  readonly rows: InputRow[];
  readonly delays: number[];
};

/** More could not be told apart by their numbers. */
const MAX_UNDER_WAY = 255;

export function createInputWitness(everyTicks: number): InputWitness {
  const underWay: Sent[] = [];
  let line = 0;
  /** The first tick of this line: what a paused room has acknowledged takes effect after it. */
  let lineTick: number | undefined;
  let lastTick = 0;
  let pointer: { readonly x: number; readonly y: number } | undefined;
  let [splits, ejects] = [0, 0];
  let delays: number[] = [];
  let open: OpenClaim | undefined;

  return { noteSent, noteLine, forget, noteUpdate };

  function noteSent(number: number, { type, x, y }: SentInput): void {
    if (underWay.length === MAX_UNDER_WAY) forget();
    const at = { x: quantisePointer(x), y: quantisePointer(y) };
    underWay.push({ type, ...at, number, line, seenTick: lastTick });
  }

  function noteLine(): void {
    line++;
    lineTick = undefined;
  }

  function noteUpdate(
    tick: number,
    acknowledged: number,
    player: PlayerId | undefined,
  ): WitnessedClaim | undefined {
    const isFirst = lineTick === undefined;
    lineTick ??= tick;
    take(tick, acknowledged, isFirst);
    if (isFirst || player === undefined || player !== open?.player) {
      const claim = finish();
      open = undefined;
      if (!isFirst && player !== undefined && tick > lineTick) begin(player, tick);
      lastTick = tick;
      return claim;
    }
    lastTick = tick;
    if (tick <= open.to) return undefined;
    if (tick - open.from > MAX_CLAIM_TICKS) {
      begin(player, tick);
      return undefined;
    }
    extend(open, tick);
    if (tick - open.from < everyTicks) return undefined;
    const claim = finish();
    begin(player, tick);
    return claim;
  }

  function take(tick: number, acknowledged: number, isFirst: boolean): void {
    const taken = underWay.splice(0, underWay.findLastIndex(({ number }) => number === acknowledged) + 1);
    // What the broken line carried and is not acknowledged now never will be.
    if (isFirst) while (underWay[0] && underWay[0].line < line) underWay.shift();
    const newest = taken.at(-1);
    for (const { type, x, y, seenTick, line: sentOn } of taken) {
      if (sentOn < newest!.line) {
        // Whether it was lost or only its acknowledgement, nobody can tell.
        if (type === 'steer') pointer = undefined;
        continue;
      }
      if (type === 'steer') pointer = { x, y };
      else if (type === 'split') splits++;
      else ejects++;
      delays.push(tick - seenTick);
    }
  }

  /** Where the player points must be known, and nobody knows it who has only just come back. */
  function begin(player: PlayerId, tick: number): void {
    delays = [];
    [splits, ejects] = [0, 0];
    open = pointer && {
      player,
      from: tick,
      to: tick,
      seen: [],
      rows: [{ tick, ...pointer, splits: 0, ejects: 0 }],
      delays,
    };
  }

  function extend(claim: OpenClaim, tick: number): void {
    const row = { tick, ...pointer!, splits, ejects };
    if (isNews(row, claim.rows.at(-1)!)) claim.rows.push(row);
    [splits, ejects] = [0, 0];
    claim.seen.push(tick);
    claim.to = tick;
  }

  function finish(): WitnessedClaim | undefined {
    if (!open || open.to === open.from) return undefined;
    const { player, from, to, rows } = open;
    const seen = new Uint8Array(seenBytes(from, to));
    for (const tick of open.seen) {
      const bit = tick - from - 1;
      seen[bit >> 3]! |= 1 << (bit & 7);
    }
    const median = open.delays.toSorted((a, b) => a - b)[open.delays.length >> 1] ?? 0;
    const delayTicks = Math.max(0, Math.min(MAX_DELAY_TICKS, median));
    return { claim: { player, from, to, seen, delayTicks }, rowsHash: hashRows(rows) };
  }

  function forget(): void {
    underWay.length = 0;
    pointer = undefined;
    open = undefined;
  }
}
