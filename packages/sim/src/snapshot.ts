import type { Rules } from './rules.ts';
import { emptyWorld, type World } from './world.ts';

/*
 * A world's state consists of sections that hold only typed arrays, numbers, bigints and booleans. Saving
 * writes every field in the order of the names; there is no separate list of fields in which one could be
 * missing.
 */

type Section = Record<string, unknown>;

/** The whole state as bytes. Worlds in the same state give the same bytes. */
export function saveWorld(world: World): Uint8Array {
  const sizes = fields(world).map(([, , value]) => byteLength(value));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [, , value] of fields(world)) {
    if (ArrayBuffer.isView(value)) {
      bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at);
    } else if (typeof value === 'bigint') {
      view.setBigUint64(at, value, true);
    } else {
      view.setFloat64(at, Number(value), true);
    }
    at += byteLength(value);
  }
  return bytes;
}

/**
 * Rebuilds a world from `saveWorld` bytes and the rules it ran under.
 *
 * @internal Only tests restore a world: that it plays on identically proves that the saved state is complete.
 */
export function loadWorld(bytes: Uint8Array, rules: Rules): World {
  const world = emptyWorld(0, rules, 0n);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const expected = fields(world).reduce((sum, [, , value]) => sum + byteLength(value), 0);
  if (bytes.length !== expected) {
    throw new RangeError(
      `This world was saved under other rules: ${bytes.length} bytes, expected ${expected}`,
    );
  }
  let at = 0;
  for (const [section, name, value] of fields(world)) {
    if (ArrayBuffer.isView(value)) {
      const target = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      target.set(bytes.subarray(at, at + value.byteLength));
    } else if (typeof value === 'bigint') {
      section[name] = view.getBigUint64(at, true);
    } else {
      const number = view.getFloat64(at, true);
      section[name] = typeof value === 'boolean' ? number === 1 : number;
    }
    at += byteLength(value);
  }
  return world;
}

/** A fingerprint of the state: 16 hexadecimal digits. */
export function hashWorld(world: World): string {
  const bytes = saveWorld(world);
  let a = 0x811c9dc5;
  let b = 0x2f0b4c47;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul((b ^ byte) + (a >>> 15), 0x85ebca6b);
    b ^= b >>> 13;
  }
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}

function fields(world: World): [section: Section, name: string, value: unknown][] {
  const sections = world.state as unknown as Record<string, Section>;
  return Object.keys(sections)
    .sort()
    .flatMap((key) => {
      const section = sections[key]!;
      return Object.keys(section)
        .sort()
        .map((name): [Section, string, unknown] => [section, name, section[name]]);
    });
}

function byteLength(value: unknown): number {
  return ArrayBuffer.isView(value) ? value.byteLength : 8;
}
