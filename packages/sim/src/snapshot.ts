import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { epochAt } from './epochs.ts';
import type { MatchKey } from './keys.ts';
import { rekeyStreams } from './random.ts';
import type { Rules } from './rules.ts';
import { emptyWorld, type World } from './world.ts';

/*
 * A world's state consists of sections that hold only typed arrays, numbers, bigints and booleans. Saving
 * writes every field in the order of the names, values before arrays; there is no separate list of fields in which one
 * could be missing. Of an array only the part in use is written: the values before it tell how much that is.
 */

type Section = Record<string, unknown>;
type Field = readonly [section: Section, name: string, value: unknown];

/** The whole state as bytes. Worlds in the same state give the same bytes. No key is among them. */
export function saveWorld(world: World): Uint8Array {
  const { values, arrays } = fields(world);
  const used = arrays.map(usedBytes);
  const bytes = new Uint8Array(used.reduce((sum, { length }) => sum + length, values.length * 8));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [, , value] of values) {
    if (typeof value === 'bigint') view.setBigUint64(at, value, true);
    else view.setFloat64(at, Number(value), true);
    at += 8;
  }
  for (const part of used) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Rebuilds a world from `saveWorld` bytes, the rules it ran under and the keys of its match. */
export function loadWorld(bytes: Uint8Array, rules: Rules, key: MatchKey): World {
  const world = emptyWorld(key, rules, 0n);
  const { values, arrays } = fields(world);
  if (bytes.length < values.length * 8) throw new RangeError('The saved world is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (const [section, name, value] of values) {
    const number = view.getFloat64(at, true);
    if (typeof value === 'bigint') section[name] = view.getBigUint64(at, true);
    else section[name] = typeof value === 'boolean' ? number === 1 : number;
    at += 8;
  }
  const used = arrays.map(usedBytes);
  const expected = used.reduce((sum, { length }) => sum + length, at);
  if (bytes.length !== expected) {
    throw new RangeError(
      `This world was saved under other rules: ${bytes.length} bytes, expected ${expected}`,
    );
  }
  for (const part of used) {
    part.set(bytes.subarray(at, at + part.length));
    at += part.length;
  }
  rekeyStreams(world.streams, world.keys(epochAt(rules, world.clock.tick)));
  return world;
}

/** A fingerprint of a saved state. */
export function hashState(saved: Uint8Array): Uint8Array {
  return sha256(saved);
}

/**
 * A fingerprint of the state: 64 hexadecimal digits.
 *
 * @internal Recordings hash the saved bytes; tests compare worlds.
 */
export function hashWorld(world: World): string {
  return bytesToHex(hashState(saveWorld(world)));
}

function fields(world: World): { values: Field[]; arrays: Field[] } {
  const sections = world.state as unknown as Record<string, Section>;
  const all = Object.keys(sections)
    .sort()
    .flatMap((key) => {
      const section = sections[key]!;
      return Object.keys(section)
        .sort()
        .map((name): Field => [section, name, section[name]]);
    });
  return {
    values: all.filter(([, , value]) => !ArrayBuffer.isView(value)),
    arrays: all.filter(([, , value]) => ArrayBuffer.isView(value)),
  };
}

type NumberArray = Uint8Array | Int32Array | Uint32Array | Float64Array | BigUint64Array;

/** The bytes of an array that were ever used: those of slots below `top`, and of this step's changes. */
function usedBytes([section, name, value]: Field): Uint8Array {
  const array = value as NumberArray;
  return new Uint8Array(
    array.buffer,
    array.byteOffset,
    usedLength(section, name, array) * array.BYTES_PER_ELEMENT,
  );
}

function usedLength(section: Section, name: string, array: NumberArray): number {
  const { top, generation, changeCount } = section as {
    top?: number;
    generation?: Uint32Array;
    changeCount?: number;
  };
  // Every slot has one generation, and a fixed number of elements in the other arrays.
  if (top !== undefined && generation)
    return within(top, generation.length) * (array.length / generation.length);
  return name === 'changes' && changeCount !== undefined ? within(changeCount, array.length) : array.length;
}

function within(count: number, limit: number): number {
  if (Number.isInteger(count) && count >= 0 && count <= limit) return count;
  throw new RangeError(`The saved world counts ${count} of at most ${limit}`);
}
