import { findPlayer, type PlayerId, playerId } from '../players.ts';
import type { World } from '../world.ts';
import type { RecordedCommand } from './command-bytes.ts';
import {
  hashRows,
  type InputClaim,
  type InputRow,
  isNews,
  isWellFormed,
  wasSeen,
} from './input-statement.ts';

/*
 * What players did lately, as the recording has it: kept by a room of those who sign, and by whoever plays the recording of
 * all, to hold their claims against. Memory is bounded by the number of slots.
 */

export type InputLog = { readonly isOfAll: boolean; readonly bySlot: (SlotLog | undefined)[] };

type SlotLog = {
  player: PlayerId;
  firstTick: number;
  lastTick: number;
  /** Since the last step. */
  splits: number;
  ejects: number;
  /** A row for each tick, modulo HISTORY_TICKS: x, y, splits, ejects. */
  readonly rows: Int32Array;
};

/** A claim is made every 30 seconds, and after a line that broke as many later as a seat is kept. */
const HISTORY_TICKS = 2_048;
const COLUMNS = 4;

export function createInputLog(of: 'all' | 'watched'): InputLog {
  return { isOfAll: of === 'all', bySlot: [] };
}

/** From the next step on, what this player does is logged. */
export function watchInputs(log: InputLog, { players, clock }: World, player: PlayerId): void {
  const slot = findPlayer(players, player);
  if (slot >= 0) begin(log, slot, player, clock.tick + 1);
}

/** Call with every command that was applied and recorded. */
export function logCommand(log: InputLog, world: World, command: RecordedCommand): void {
  if (command.type !== 'split' && command.type !== 'eject') return;
  const slot = findPlayer(world.players, command.player);
  const own = slotLog(log, slot, command.player, world.clock.tick + 1);
  if (!own) return;
  if (command.type === 'split') own.splits++;
  else own.ejects++;
}

/** Call before every step, when everybody has been steered. */
export function logStep(log: InputLog, { players, clock }: World): void {
  const tick = clock.tick + 1;
  for (let slot = 0; slot < players.top; slot++) {
    if (!players.isAlive[slot] || players.isBot[slot]) continue;
    const own = slotLog(log, slot, playerId(players, slot), tick);
    if (!own) continue;
    const at = (tick % HISTORY_TICKS) * COLUMNS;
    own.rows[at] = players.offsetX[slot]!;
    own.rows[at + 1] = players.offsetY[slot]!;
    own.rows[at + 2] = own.splits;
    own.rows[at + 3] = own.ejects;
    own.splits = 0;
    own.ejects = 0;
    own.lastTick = tick;
  }
}

function slotLog(log: InputLog, slot: number, player: PlayerId, tick: number): SlotLog | undefined {
  const known = log.bySlot[slot];
  if (known?.player === player) return known;
  if (log.isOfAll) return begin(log, slot, player, tick);
  // Whoever plays the recording forgets at this moment who had the slot before. A room must not know more.
  log.bySlot[slot] = undefined;
  return undefined;
}

function begin({ bySlot }: InputLog, slot: number, player: PlayerId, tick: number): SlotLog {
  const known = bySlot[slot];
  const rows = known?.rows ?? new Int32Array(HISTORY_TICKS * COLUMNS);
  const begun = { player, firstTick: tick, lastTick: tick - 1, splits: 0, ejects: 0, rows };
  bySlot[slot] = begun;
  return begun;
}

/** The hash of what a claim speaks of, as it was recorded. Undefined if it is malformed, or not of what is known. */
export function hashLogged(log: InputLog, claim: InputClaim): Uint8Array | undefined {
  const own = findLogged(log, claim);
  if (!own || !isWellFormed(claim)) return undefined;
  let last: InputRow = { ...rowAt(own, claim.from), splits: 0, ejects: 0 };
  const rows = [last];
  let [splits, ejects] = [0, 0];
  for (let tick = claim.from + 1; tick <= claim.to; tick++) {
    const logged = rowAt(own, tick);
    splits += logged.splits;
    ejects += logged.ejects;
    if (!wasSeen(claim, tick)) continue;
    const row = { ...logged, splits, ejects };
    if (isNews(row, last)) {
      rows.push(row);
      last = row;
    }
    [splits, ejects] = [0, 0];
  }
  return hashRows(rows);
}

/** Whether what a claim speaks of is still known: it is forgotten as the match goes on. */
export function isLogged(log: InputLog, claim: InputClaim): boolean {
  return findLogged(log, claim) !== undefined;
}

function findLogged({ bySlot }: InputLog, { player, from, to }: InputClaim): SlotLog | undefined {
  const own = bySlot.find((slot) => slot?.player === player);
  if (!own || to > own.lastTick) return undefined;
  return from >= Math.max(own.firstTick, own.lastTick - HISTORY_TICKS + 1) ? own : undefined;
}

function rowAt({ rows }: SlotLog, tick: number): InputRow {
  const at = (tick % HISTORY_TICKS) * COLUMNS;
  return { tick, x: rows[at]!, y: rows[at + 1]!, splits: rows[at + 2]!, ejects: rows[at + 3]! };
}
