import { describe, expect, test } from 'vitest';
import { createWorld } from './create-world.ts';
import { commitmentOf, matchKeyOf, numberedKey, streamKeyOf, toHex } from './keys.ts';
import { createRandom, createRandomState, createStreams, randomBelow } from './random.ts';
import { quietRules } from './testing/arena-builder.ts';

const words = (random: ReturnType<typeof createRandom>, count: number) =>
  Array.from({ length: count }, () =>
    randomBelow(random, 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  );

describe('a stream of random numbers', () => {
  test('is the key stream of ChaCha20, as in RFC 8439, appendix A.1, vectors 1 and 2', () => {
    const random = createRandom(new Uint8Array(32));
    expect(words(random, 8)).toEqual(
      'ade0b876 903df1a0 e56a5d40 28bd8653 b819d2bd 1aed8da0 ccef36a8 c70d778b'.split(' '),
    );
    words(random, 8);
    expect(words(random, 8)).toEqual(
      'bee7079f 7a385155 7c97ba98 0d082d73 a0290fcb 6965e348 3e53c612 ed7aee32'.split(' '),
    );
  });

  test('continues from any position', () => {
    const straight = words(createRandom(numberedKey(1)), 2_000);
    for (const position of [0, 1, 255, 256, 257, 1_023, 1_999]) {
      const resumed = createRandom(numberedKey(1), Float64Array.of(position));
      expect(words(resumed, 1)).toEqual([straight[position]]);
    }
  });

  test('for one purpose does not depend on how much is drawn for another', () => {
    const [one, two] = [createStreams(numberedKey(1)), createStreams(numberedKey(1))];
    words(two.food, 5_000);
    words(two.scatter, 77);
    expect(words(two.portals, 10)).toEqual(words(one.portals, 10));
  });

  test('has a key of its own for every purpose', () => {
    const streams = Object.values(createStreams(numberedKey(1)));
    const keys = new Set(streams.map(({ key }) => toHex(key)));
    expect(keys.size).toBe(streams.length);
    expect(keys).not.toContain(toHex(numberedKey(1)));
    expect(createRandomState().positions).toHaveLength(streams.length);
  });
});

describe('the key of a match', () => {
  const secret = numberedKey(1);
  const block = { slot: 5n, blockhash: numberedKey(2) };

  test('depends on the secret, the slot and the block', () => {
    const keys = [
      matchKeyOf(secret, block),
      matchKeyOf(numberedKey(3), block),
      matchKeyOf(secret, { ...block, slot: 6n }),
      matchKeyOf(secret, { ...block, blockhash: numberedKey(3) }),
      matchKeyOf(secret, null),
      commitmentOf(secret),
      streamKeyOf(matchKeyOf(secret, block), 'portals'),
    ];
    expect(new Set(keys.map(toHex)).size).toBe(keys.length);
  });

  test('is refused if a part has the wrong length', () => {
    expect(() => commitmentOf(new Uint8Array(31))).toThrow('32 bytes');
    expect(() => matchKeyOf(secret, { ...block, blockhash: new Uint8Array(33) })).toThrow('32 bytes');
  });

  test('decides where the portals are, and the food and the viruses apart from them', () => {
    const [one, two] = [createWorld({ key: secret }), createWorld({ key: numberedKey(9) })];
    expect(one.food.mass).not.toEqual(two.food.mass);
    const quiet = createWorld({ key: secret, rules: quietRules });
    expect(words(quiet.streams.portals, 3)).toEqual(words(one.streams.portals, 3));
  });
});
