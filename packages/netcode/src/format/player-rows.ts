import { toHex } from '@engulf/sim/keys';
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
  /** Index into the client's palette, see domain/profile/colour.ts. */
  readonly colour: number;
  /** The domain's reward text. */
  readonly reward: string;
  readonly isAdmin?: boolean;
  /** The hash of the player's own picture as 64 hex digits; left out for the default portrait. */
  readonly picture?: string | undefined;
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
  /** The tick of the frame in which either was last raised. */
  readonly changedTick: Int32Array;
  readonly generation: Uint32Array;
  readonly invulnerableUntilTick: Int32Array;
  readonly isBot: Uint8Array;
  readonly isAdmin: Uint8Array;
  readonly colour: Uint8Array;
  readonly name: Uint8Array[];
  /** A hash, or nothing. */
  readonly picture: Uint8Array[];
  /** As the codes of `AMOUNT_CHARACTERS` where they suffice, else as text. */
  readonly reward: Uint8Array[];
  readonly isRewardCoded: Uint8Array;
  /** The arena's bounties and those last seen, as pairs of words: comparing those allocates no bigints. */
  readonly liveBounty: Uint32Array;
  readonly seenBounty: Uint32Array;
};

const MAX_TEXT_BYTES = 255;
const COLOUR_BITS = 4;
/** What rewards consist of, so that four bits make a character. */
const AMOUNT_CHARACTERS = '0123456789.(x)$,';
const AMOUNT_BITS = 4;
const AMOUNT_LENGTH_BITS = 5;
const MAX_AMOUNT_LENGTH = (1 << AMOUNT_LENGTH_BITS) - 1;
const PICTURE_BYTES = 32;
export const MAX_ROW_BYTES = 2 * MAX_TEXT_BYTES + PICTURE_BYTES + 32;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

export function createPlayerRows({ bounty }: Players): PlayerRows {
  const maxPlayers = bounty.length;
  return {
    identityVersion: new Uint32Array(maxPlayers),
    rewardVersion: new Uint32Array(maxPlayers),
    changedTick: new Int32Array(maxPlayers),
    generation: new Uint32Array(maxPlayers),
    invulnerableUntilTick: new Int32Array(maxPlayers),
    isBot: new Uint8Array(maxPlayers),
    isAdmin: new Uint8Array(maxPlayers),
    colour: new Uint8Array(maxPlayers),
    name: Array.from({ length: maxPlayers }, () => NOTHING),
    picture: Array.from({ length: maxPlayers }, () => NOTHING),
    reward: Array.from({ length: maxPlayers }, () => NOTHING),
    isRewardCoded: new Uint8Array(maxPlayers),
    liveBounty: new Uint32Array(bounty.buffer, bounty.byteOffset, maxPlayers * 2),
    seenBounty: new Uint32Array(maxPlayers * 2),
  };
}

/** Brings the rows of the living up to date. */
export function refreshPlayerRows(
  rows: PlayerRows,
  players: Players,
  tick: number,
  describe: DescribePlayer,
): void {
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
        rows.isAdmin[slot] = card.isAdmin ? 1 : 0;
        rows.name[slot] = textBytes(card.name);
        rows.picture[slot] = hashBytes(card.picture);
        rows.identityVersion[slot]!++;
      }
      const codes = amountCodes(card.reward);
      rows.reward[slot] = codes ?? textBytes(card.reward);
      rows.isRewardCoded[slot] = codes ? 1 : 0;
      rows.rewardVersion[slot]!++;
      rows.changedTick[slot] = tick;
      seenBounty[low] = liveBounty[low]!;
      seenBounty[high] = liveBounty[high]!;
    }
    if (rows.invulnerableUntilTick[slot] !== players.invulnerableUntilTick[slot]) {
      rows.invulnerableUntilTick[slot] = players.invulnerableUntilTick[slot]!;
      rows.identityVersion[slot]!++;
      rows.changedTick[slot] = tick;
    }
  }
}

/** Makes the next frame describe everybody again, because the describer has learned more. */
export function forgetDescriptions({ generation }: PlayerRows): void {
  generation.fill(0);
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
    const picture = rows.picture[slot]!;
    writeBits(writer, rows.isAdmin[slot]! | (picture === NOTHING ? 0 : 2), 2);
    writeBytes(writer, picture, 0, picture.length);
  }
  if (withReward) writeReward(writer, rows, slot);
}

/** The parts of a row that were sent; the others are unchanged. */
export type PlayerRow = {
  identity?: {
    generation: number;
    invulnerableUntilTick: number;
    isBot: boolean;
    colour: number;
    name: string;
    isAdmin: boolean;
    picture: string | undefined;
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
      ...readMarks(reader),
    };
  }
  if (parts & 2) row.reward = readReward(reader);
  return row;
}

function readMarks(reader: BitReader): { isAdmin: boolean; picture: string | undefined } {
  const marks = readBits(reader, 2);
  const isAdmin = (marks & 1) === 1;
  if ((marks & 2) === 0) return { isAdmin, picture: undefined };
  return { isAdmin, picture: toHex(readBytes(reader, PICTURE_BYTES)) };
}

function hashBytes(hex: string | undefined): Uint8Array {
  if (hex === undefined || !/^[0-9a-f]{64}$/.test(hex)) return NOTHING;
  return Uint8Array.from({ length: PICTURE_BYTES }, (_, nth) =>
    Number.parseInt(hex.slice(2 * nth, 2 * nth + 2), 16),
  );
}

function amountCodes(text: string): Uint8Array | undefined {
  const codes = Uint8Array.from(text, (character) => AMOUNT_CHARACTERS.indexOf(character));
  return codes.length <= MAX_AMOUNT_LENGTH && codes.every((code) => code <= 15) ? codes : undefined;
}

function writeReward(writer: BitWriter, { reward, isRewardCoded }: PlayerRows, slot: number): void {
  const bytes = reward[slot]!;
  writeBits(writer, isRewardCoded[slot]!, 1);
  if (isRewardCoded[slot] === 0) {
    writeText(writer, bytes);
    return;
  }
  writeBits(writer, bytes.length, AMOUNT_LENGTH_BITS);
  for (let i = 0; i < bytes.length; i++) writeBits(writer, bytes[i]!, AMOUNT_BITS);
}

function readReward(reader: BitReader): string {
  if (readBits(reader, 1) === 0) return readText(reader);
  let text = '';
  const length = readBits(reader, AMOUNT_LENGTH_BITS);
  for (let i = 0; i < length; i++) text += AMOUNT_CHARACTERS[readBits(reader, AMOUNT_BITS)]!;
  return text;
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
