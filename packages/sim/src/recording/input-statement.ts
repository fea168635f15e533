import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { PlayerId } from '../players.ts';

/** What a player says that it did, as far as the updates that it got told that the room had taken it. */
export type InputClaim = {
  readonly player: PlayerId;
  /** Ticks of updates: what is claimed is what was new after the first, up to the last, the newest that was seen. */
  readonly from: number;
  readonly to: number;
  /** A bit for each tick after `from`, the lowest first: whether its update was seen. */
  readonly seen: Uint8Array;
  /** From the newest tick that was seen when an input was sent to the one that included it: the median. */
  readonly delayTicks: number;
};

/** Ed25519, by the key that the player's payment names. */
export type InputStatement = InputClaim & { readonly signature: Uint8Array };

/** A longer one would need more memory for what may still be claimed. */
export const MAX_CLAIM_TICKS = 1_000;
export const MAX_DELAY_TICKS = 255;
/** A shorter claim is kept by the page and not recorded: of short lives, signatures would be most of a recording. */
export const LEAST_RECORDED_SECONDS = 10;

/** What was in force at a tick, and how often the player has split and ejected since the row before. */
export type InputRow = {
  readonly tick: number;
  readonly x: number;
  readonly y: number;
  readonly splits: number;
  readonly ejects: number;
};

const ROW_BYTES = 20;

/**
 * The first row is that of `from`, without splits and ejects: those are in the claim before. Of the ticks that were seen
 * there is a row if it says anything new.
 */
export function isNews(row: InputRow, last: InputRow): boolean {
  return row.x !== last.x || row.y !== last.y || row.splits > 0 || row.ejects > 0;
}

export function hashRows(rows: readonly InputRow[]): Uint8Array {
  const bytes = new Uint8Array(rows.length * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  rows.forEach(({ tick, x, y, splits, ejects }, index) => {
    [tick, x, y, splits, ejects].forEach((value, column) => {
      view.setInt32(index * ROW_BYTES + column * 4, value, true);
    });
  });
  return sha256(bytes);
}

/** What is signed. Begins with a text that nothing else is signed with. */
export function statementBytes(commitment: Uint8Array, claim: InputClaim, rowsHash: Uint8Array): Uint8Array {
  const numbers = new Uint8Array(17);
  const view = new DataView(numbers.buffer);
  view.setBigUint64(0, BigInt(claim.player), true);
  view.setUint32(8, claim.from, true);
  view.setUint32(12, claim.to, true);
  view.setUint8(16, claim.delayTicks);
  return concatBytes(utf8ToBytes('engulf inputs 1\n'), commitment, numbers, claim.seen, rowsHash);
}

export function wasSeen({ from, seen }: InputClaim, tick: number): boolean {
  const bit = tick - from - 1;
  return ((seen[bit >> 3]! >> (bit & 7)) & 1) === 1;
}

export function seenBytes(from: number, to: number): number {
  return Math.ceil((to - from) / 8);
}

/** Whether there is nothing in it that cannot be, for numbers of unknown origin. */
export function isWellFormed(claim: InputClaim): boolean {
  const { from, to, seen, delayTicks } = claim;
  if (![from, to, delayTicks].every(Number.isSafeInteger)) return false;
  if (from < 0 || to <= from || to - from > MAX_CLAIM_TICKS || to > 0x7fffffff) return false;
  if (delayTicks < 0 || delayTicks > MAX_DELAY_TICKS || seen.length !== seenBytes(from, to)) return false;
  // Bits behind the last would let one claim be written in many ways.
  return wasSeen(claim, to) && seen.at(-1)! < 2 ** (((to - from - 1) & 7) + 1);
}
