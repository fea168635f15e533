import { type BitReader, createBitReader, isFullyRead, readBits, readVar } from '../format/bits.ts';
import { GAP_BITS, SEQUENCE_BITS, SEQUENCE_MASK } from '../format/message-format.ts';
import { readPortals } from '../format/portal-wave.ts';
import { followTide, readTide } from '../format/tide-state.ts';
import { readHeader, type WorldHeader } from '../format/world-header.ts';
import { type ArenaDecoder, clearUpdate, forgetAll } from './arena-decoder.ts';
import { readAdditions, readMotions, readRemovals } from './decode-bodies.ts';
import { readFood } from './decode-food.ts';
import { readAcknowledged, readOwn, readPlayers } from './decode-players.ts';

/**
 * Applies one message to `decoder.view` and lists what it changed in `decoder.update`. It never throws,
 * whatever the bytes are: `needsFull` means that they could not be applied and that the client should send
 * `fullUpdate`. Until the full snapshot arrives, the view is stale and perhaps half updated.
 */
export function decodeUpdate(decoder: ArenaDecoder, bytes: Uint8Array): 'applied' | 'needsFull' {
  const reader = createBitReader(bytes);
  const isFull = readBits(reader, 1) === 1;
  const hasGap = readBits(reader, 1) === 1;
  const sequence = readBits(reader, SEQUENCE_BITS);
  clearUpdate(decoder.update);
  const isNext = !decoder.isLost && sequence === ((decoder.sequence + 1) & SEQUENCE_MASK);
  if (reader.isMalformed || (!isFull && !isNext)) return markLost(decoder);
  const gap = hasGap ? readBits(reader, GAP_BITS) : 1;
  if (gap === 0) return markLost(decoder);
  readMessage(reader, decoder, isFull, gap);
  if (!isFullyRead(reader)) return markLost(decoder);
  decoder.sequence = sequence;
  decoder.isLost = false;
  return 'applied';
}

function readMessage(reader: BitReader, decoder: ArenaDecoder, isFull: boolean, gap: number): void {
  const { view, update } = decoder;
  if (isFull) {
    const header = readHeader(reader);
    if (!header) {
      reader.isMalformed = true;
      return;
    }
    forgetAll(decoder, header.maxBodies);
    view.world = header;
    view.tick = readVar(reader);
  } else view.tick += gap;
  const world = view.world!;
  update.type = isFull ? 'full' : 'delta';
  update.tick = view.tick;
  readRemovals(reader, decoder);
  if (!isFull) readMotions(reader, decoder, gap, world);
  readPlayers(reader, decoder, world);
  readAdditions(reader, decoder, world);
  readOwn(reader, decoder, world);
  if (view.own) readAcknowledged(reader, decoder);
  readFood(reader, decoder, world);
  readNews(reader, decoder, world, isFull ? 0 : gap);
}

/** The counterpart of `writeNews`. */
function readNews(reader: BitReader, decoder: ArenaDecoder, world: WorldHeader, gap: number): void {
  const { tick, tide } = decoder.view;
  followTide(tide, world, tick - gap, tick);
  if (readBits(reader, 1) === 0) return;
  const hasPortals = readBits(reader, 1) === 1;
  const hasTide = readBits(reader, 1) === 1;
  if (hasPortals) readPortals(reader, decoder, world);
  if (hasTide) readTide(reader, tide, world, tick);
}

function markLost(decoder: ArenaDecoder): 'needsFull' {
  decoder.isLost = true;
  clearUpdate(decoder.update);
  return 'needsFull';
}
