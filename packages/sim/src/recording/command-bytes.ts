import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { Command } from '../commands.ts';
import type { PlayerId } from '../players.ts';
import {
  type ByteReader,
  type ByteWriter,
  damaged,
  readByte,
  readBytes,
  readFloat,
  readText,
  readU64,
  readVar,
  writeByte,
  writeBytes,
  writeFloat,
  writeText,
  writeU64,
  writeVar,
} from './bytes.ts';
import { isWellFormed, MAX_CLAIM_TICKS, seenBytes } from './input-statement.ts';

/** Everything but steering. */
export type RecordedCommand = Exclude<Command, { readonly type: 'steer' }>;

/** The position in this list is the code. Append only. */
const TYPES = [
  'join',
  'split',
  'eject',
  'disconnect',
  'reconnect',
  'setPopulation',
  'close',
  'end',
  'testMass',
  'truce',
  'joinNewcomer',
  'pledge',
  'beacon',
  'inputs',
] as const;
const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
const REASONS = ['closed', 'fault'] as const;

function codeOf(command: RecordedCommand): (typeof TYPES)[number] {
  return command.type === 'join' && command.isNewcomer ? 'joinNewcomer' : command.type;
}

export function writeCommand(writer: ByteWriter, command: RecordedCommand): void {
  writeByte(writer, TYPES.indexOf(codeOf(command)));
  switch (command.type) {
    case 'join':
      writeU64(writer, command.stake);
      writeText(writer, command.entry ?? '');
      return;
    case 'setPopulation':
      writeVar(writer, command.count);
      return;
    case 'close':
      writeFloat(writer, command.inSeconds);
      return;
    case 'truce':
      writeFloat(writer, command.seconds);
      return;
    case 'pledge':
      writeVar(writer, command.wave);
      writeU64(writer, command.newest);
      writeU64(writer, command.decides);
      return;
    case 'beacon':
      writeVar(writer, command.wave);
      writeU64(writer, command.slot);
      writeBytes(writer, command.blockhash);
      return;
    case 'inputs':
      writeVar(writer, command.player);
      writeVar(writer, command.from);
      writeVar(writer, command.to - command.from);
      writeByte(writer, command.delayTicks);
      writeBytes(writer, command.seen);
      writeBytes(writer, command.signature);
      return;
    case 'end':
      writeByte(writer, REASONS.indexOf(command.reason));
      return;
    default:
      writeVar(writer, command.player);
  }
}

export function readCommand(reader: ByteReader): RecordedCommand {
  const type = TYPES[readByte(reader)];
  switch (type) {
    case undefined:
      return damaged(reader, 'an unknown command');
    case 'join':
    case 'joinNewcomer': {
      const stake = readU64(reader);
      const entry = readText(reader, 64);
      if (!/^[\w-]*$/.test(entry)) return damaged(reader, 'not the id of an entry');
      return {
        type: 'join',
        stake,
        ...(entry === '' ? {} : { entry: entry as EntryId }),
        ...(type === 'joinNewcomer' ? { isNewcomer: true } : {}),
      };
    }
    case 'setPopulation':
      return { type, count: readVar(reader) };
    case 'close': {
      const inSeconds = readFloat(reader);
      return Number.isFinite(inSeconds) ? { type, inSeconds } : damaged(reader, 'not a time');
    }
    case 'truce': {
      const seconds = readFloat(reader);
      return Number.isFinite(seconds) ? { type, seconds } : damaged(reader, 'not a time');
    }
    case 'pledge':
      return { type, wave: readVar(reader), newest: readU64(reader), decides: readU64(reader) };
    case 'beacon': {
      const wave = readVar(reader);
      return { type, wave, slot: readU64(reader), blockhash: readBytes(reader, HASH_BYTES).slice() };
    }
    case 'inputs': {
      const player = readVar(reader) as PlayerId;
      const from = readVar(reader);
      const to = from + readVar(reader);
      const delayTicks = readByte(reader);
      if (to - from > MAX_CLAIM_TICKS) return damaged(reader, 'a statement of too many steps');
      const seen = readBytes(reader, seenBytes(from, to)).slice();
      const claim = { player, from, to, seen, delayTicks };
      if (!isWellFormed(claim)) return damaged(reader, 'a statement that cannot be');
      return { type, ...claim, signature: readBytes(reader, SIGNATURE_BYTES).slice() };
    }
    case 'end': {
      const reason = REASONS[readByte(reader)];
      return reason ? { type, reason } : damaged(reader, 'an unknown reason');
    }
    default:
      return { type, player: readVar(reader) as PlayerId };
  }
}
