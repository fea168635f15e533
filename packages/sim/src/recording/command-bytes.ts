import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { Command } from '../commands.ts';
import type { PlayerId } from '../players.ts';
import {
  type ByteReader,
  type ByteWriter,
  damaged,
  readByte,
  readFloat,
  readText,
  readU64,
  readVar,
  writeByte,
  writeFloat,
  writeText,
  writeU64,
  writeVar,
} from './bytes.ts';

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
] as const;
const REASONS = ['closed', 'fault'] as const;

export function writeCommand(writer: ByteWriter, command: RecordedCommand): void {
  writeByte(writer, TYPES.indexOf(command.type));
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
    case 'join': {
      const stake = readU64(reader);
      const entry = readText(reader, 64);
      if (!/^[\w-]*$/.test(entry)) return damaged(reader, 'not the id of an entry');
      return entry === '' ? { type, stake } : { type, stake, entry: entry as EntryId };
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
    case 'end': {
      const reason = REASONS[readByte(reader)];
      return reason ? { type, reason } : damaged(reader, 'an unknown reason');
    }
    default:
      return { type, player: readVar(reader) as PlayerId };
  }
}
