/** The seeded generator (sfc32) of a world. Its four words are part of the saved state. */
export type Random = { readonly words: Uint32Array };

export function createRandom(seed: number): Random {
  const random = { words: Uint32Array.of(seed, 0x9e3779b9, 0x243f6a88, 1) };
  for (let i = 0; i < 15; i++) nextUint32(random);
  return random;
}

function nextUint32({ words }: Random): number {
  const a = words[0]!;
  const b = words[1]!;
  const c = words[2]!;
  const counter = words[3]!;
  const result = (a + b + counter) >>> 0;
  words[3] = counter + 1;
  words[0] = b ^ (b >>> 9);
  words[1] = c + (c << 3);
  words[2] = ((c << 21) | (c >>> 11)) + result;
  return result;
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
