/** How a call names a function of the runtime: the MurmurHash3 (32 bits, seed 0) of its name. */
export function syscallHash(name: string): number {
  const bytes = Buffer.from(name);
  let hash = 0;
  const wholeBytes = bytes.length - (bytes.length % 4);
  for (let at = 0; at < wholeBytes; at += 4) {
    hash ^= scramble(bytes.readUInt32LE(at));
    hash = (Math.imul(rotate(hash, 13), 5) + 0xe6546b64) | 0;
  }
  const rest = [...bytes.subarray(wholeBytes)].reduceRight((sum, byte) => (sum << 8) | byte, 0);
  hash ^= scramble(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const scramble = (word: number): number => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
