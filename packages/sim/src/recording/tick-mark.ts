import type { World } from '../world.ts';

/**
 * Sixteen bits of where everything is, what it weighs, where players point and what they carry, recorded for every tick:
 * enough to name the first tick that differs. What proves a state is its hash at the end of the segment.
 */
export function tickMark({ bodies, players }: World): number {
  let mark = bodies.top;
  mark = mixIn(mark, wordsOf(bodies.x, bodies.top));
  mark = mixIn(mark, wordsOf(bodies.y, bodies.top));
  mark = mixIn(mark, bodies.massMilli.subarray(0, bodies.top));
  mark = mixIn(mark, wordsOf(players.offsetX, players.top));
  mark = mixIn(mark, wordsOf(players.offsetY, players.top));
  mark = mixIn(mark, wordsOf(players.bounty, players.top));
  return (mark ^ (mark >>> 16)) & 0xffff;
}

function wordsOf({ buffer, byteOffset }: Float64Array | BigUint64Array, length: number): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length * 2);
}

function mixIn(mark: number, words: Uint32Array | Int32Array): number {
  let mixed = mark;
  for (let index = 0; index < words.length; index++) {
    mixed = Math.imul(mixed ^ words[index]!, 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
