import { chacha20 } from '@noble/ciphers/chacha.js';
import { streamKeyOf } from './keys.ts';

/**
 * One stream of random numbers: the key stream of ChaCha20. Seeing some of them does not allow computing others. Only
 * the position is saved with a world; the key comes from the match.
 */
export type Random = {
  key: Uint8Array;
  /** How many numbers each stream of the world has produced. */
  readonly positions: Float64Array;
  readonly index: number;
  /** The part of the stream that begins at number `first`. */
  readonly words: Uint32Array;
  first: number;
};

/** What players see must not reveal what comes next, so each purpose has a stream and a key of its own. */
const PURPOSES = ['food', 'viruses', 'spawns', 'scatter', 'portals', 'bots'] as const;
export type Streams = { readonly [purpose in (typeof PURPOSES)[number]]: Random };

/** The saved part of all streams. */
export type RandomState = { readonly positions: Float64Array };

const WORDS = 256;
const WORDS_PER_BLOCK = 16;
const NONCE = new Uint8Array(12);
const ZEROS = new Uint8Array(WORDS * 4);

export function createRandomState(): RandomState {
  return { positions: new Float64Array(PURPOSES.length) };
}

export function createStreams(matchKey: Uint8Array, { positions } = createRandomState()): Streams {
  const streams = PURPOSES.map((purpose, index) => [
    purpose,
    createRandom(streamKeyOf(matchKey, purpose), positions, index),
  ]);
  return Object.fromEntries(streams) as Streams;
}

/** Goes on with the numbers of another key, from the same positions. */
export function rekeyStreams(streams: Streams, matchKey: Uint8Array): void {
  for (const purpose of PURPOSES) {
    const random = streams[purpose];
    random.key = streamKeyOf(matchKey, purpose);
    random.first = -WORDS;
  }
}

/** A stream of its own, or one of several whose positions are kept together. */
export function createRandom(
  key: Uint8Array,
  positions: Float64Array = new Float64Array(1),
  index = 0,
): Random {
  return { key, positions, index, words: new Uint32Array(WORDS), first: -WORDS };
}

function nextUint32(random: Random): number {
  const position = random.positions[random.index]!++;
  const at = position - random.first;
  if (at >= 0 && at < WORDS) return random.words[at]!;
  random.first = position - (position % WORDS);
  const bytes = new Uint8Array(random.words.buffer);
  chacha20(random.key, NONCE, ZEROS, bytes, random.first / WORDS_PER_BLOCK);
  return random.words[position - random.first]!;
}

/** At least 0, below 1. */
function randomUnit(random: Random): number {
  return nextUint32(random) / 4_294_967_296;
}

/** A whole number at least 0 and below `bound`. */
export function randomBelow(random: Random, bound: number): number {
  return Math.floor(randomUnit(random) * bound);
}

export function randomBetween(random: Random, low: number, high: number): number {
  return low + randomUnit(random) * (high - low);
}

const direction = new Float64Array(2);

/**
 * A uniformly random unit vector, by rejection so that no trigonometry is needed. Valid until the next call.
 */
export function randomDirection(random: Random): Float64Array {
  for (;;) {
    const x = randomBetween(random, -1, 1);
    const y = randomBetween(random, -1, 1);
    const square = x * x + y * y;
    if (square > 1 || square < 1e-4) continue;
    const length = Math.sqrt(square);
    direction[0] = x / length;
    direction[1] = y / length;
    return direction;
  }
}
