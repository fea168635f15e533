import type { Players } from '@engulf/sim/players';
import {
  type BitReader,
  type BitWriter,
  readBits,
  readBytes,
  readVar,
  writeBits,
  writeBytes,
  writeVar,
} from './bits.ts';

/** What viewers are told about a player besides what the arena knows. */
type PlayerCard = {
  readonly name: string;
  /** Index into the client's palette, see `playerColourIndex`. */
  readonly colour: number;
  /** The domain's reward text. */
  readonly reward: string;
};

/** Describes the player in a slot. Called when a player appears and when its bounty changes. */
export type DescribePlayer = (slot: number) => PlayerCard;

/**
 * The player table of a match, ready to send. A row has two parts that change independently: who the player
 * is, and what its reward is. By their versions each viewer's stream knows what it has not sent yet.
 */
export type PlayerRows = {
  readonly identityVersion: Uint32Array;
  readonly rewardVersion: Uint32Array;
  readonly generation: Uint32Array;
  readonly invulnerableUntilTick: Int32Array;
  readonly isBot: Uint8Array;
  readonly colour: Uint8Array;
  readonly name: Uint8Array[];
  readonly reward: Uint8Array[];
  /** The arena's bounties and those last seen, as pairs of words: comparing those allocates no bigints. */
  readonly liveBounty: Uint32Array;
  readonly seenBounty: Uint32Array;
};

const MAX_TEXT_BYTES = 255;
const COLOUR_BITS = 4;
export const MAX_ROW_BYTES = 2 * MAX_TEXT_BYTES + 32;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_TEXT = new Uint8Array(0);

export function createPlayerRows({ bounty }: Players): PlayerRows {
  const maxPlayers = bounty.length;
  return {
    identityVersion: new Uint32Array(maxPlayers),
    rewardVersion: new Uint32Array(maxPlayers),
    generation: new Uint32Array(maxPlayers),
    invulnerableUntilTick: new Int32Array(maxPlayers),
    isBot: new Uint8Array(maxPlayers),
    colour: new Uint8Array(maxPlayers),
    name: Array.from({ length: maxPlayers }, () => NO_TEXT),
    reward: Array.from({ length: maxPlayers }, () => NO_TEXT),
    liveBounty: new Uint32Array(bounty.buffer, bounty.byteOffset, maxPlayers * 2),
    seenBounty: new Uint32Array(maxPlayers * 2),
  };
}

/** Brings the rows of the living up to date. */
export function refreshPlayerRows(rows: PlayerRows, players: Players, describe: DescribePlayer): void {
  const { liveBounty, seenBounty } = rows;
  for (let slot = 0; slot < players.top; slot++) {
    if (players.isAlive[slot] === 0) continue;
    const isNew = rows.generation[slot] !== players.generation[slot];
    const low = slot * 2;
    const high = low + 1;
    if (isNew || seenBounty[low] !== liveBounty[low] || seenBounty[high] !== liveBounty[high]) {
      const card = describe(slot);
      if (isNew) {
        rows.generation[slot] = players.generation[slot]!;
        rows.isBot[slot] = players.isBot[slot]!;
        rows.colour[slot] = card.colour & ((1 << COLOUR_BITS) - 1);
        rows.name[slot] = textBytes(card.name);
        rows.identityVersion[slot]!++;
      }
      rows.reward[slot] = textBytes(card.reward);
      rows.rewardVersion[slot]!++;
      seenBounty[low] = liveBounty[low]!;
      seenBounty[high] = liveBounty[high]!;
    }
    if (rows.invulnerableUntilTick[slot] !== players.invulnerableUntilTick[slot]) {
      rows.invulnerableUntilTick[slot] = players.invulnerableUntilTick[slot]!;
      rows.identityVersion[slot]!++;
    }
  }
}

/** The caller writes the slot first. */
export function writePlayerRow(
  writer: BitWriter,
  rows: PlayerRows,
  slot: number,
  withIdentity: boolean,
  withReward: boolean,
): void {
  writeBits(writer, (withIdentity ? 1 : 0) | (withReward ? 2 : 0), 2);
  if (withIdentity) {
    writeVar(writer, rows.generation[slot]!);
    writeVar(writer, rows.invulnerableUntilTick[slot]!);
    writeBits(writer, rows.isBot[slot]!, 1);
    writeBits(writer, rows.colour[slot]!, COLOUR_BITS);
    writeText(writer, rows.name[slot]!);
  }
  if (withReward) writeText(writer, rows.reward[slot]!);
}

/** The parts of a row that were sent; the others are unchanged. */
export type PlayerRow = {
  identity?: {
    generation: number;
    invulnerableUntilTick: number;
    isBot: boolean;
    colour: number;
    name: string;
  };
  reward?: string;
};

export function readPlayerRow(reader: BitReader): PlayerRow {
  const parts = readBits(reader, 2);
  const row: PlayerRow = {};
  if (parts & 1) {
    row.identity = {
      generation: readVar(reader),
      invulnerableUntilTick: readVar(reader),
      isBot: readBits(reader, 1) === 1,
      colour: readBits(reader, COLOUR_BITS),
      name: readText(reader),
    };
  }
  if (parts & 2) row.reward = readText(reader);
  return row;
}

function writeText(writer: BitWriter, bytes: Uint8Array): void {
  writeBits(writer, bytes.length, 8);
  writeBytes(writer, bytes, 0, bytes.length);
}

function readText(reader: BitReader): string {
  return decoder.decode(readBytes(reader, readBits(reader, 8)));
}

function textBytes(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  return bytes.length <= MAX_TEXT_BYTES ? bytes : encoder.encode(text.slice(0, MAX_TEXT_BYTES / 4));
}

/** The palette is the client's; its length is part of the protocol. */
export const PLAYER_COLOUR_COUNT = 12;

/** Depends only on the id, so that everyone sees a player in the same colour. */
export function playerColourIndex(playerId: string): number {
  let sum = 0;
  for (let index = 0; index < playerId.length; index++) sum += playerId.charCodeAt(index);
  return sum % PLAYER_COLOUR_COUNT;
}
