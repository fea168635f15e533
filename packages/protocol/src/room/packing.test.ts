import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createByteReader, createByteWriter } from './bytes.ts';
import { packingOf } from './packing.ts';

function pack(schema: z.ZodType, value: unknown): Uint8Array {
  const writer = createByteWriter();
  packingOf(schema).write(writer, value);
  return writer.end();
}

function unpack(schema: z.ZodType, bytes: Uint8Array): unknown {
  const reader = createByteReader(bytes);
  const value = packingOf(schema).read(reader);
  expect(reader.isAtEnd()).toBe(true);
  return value;
}

test('neither names nor constants are written', () => {
  const schema = z.object({ kind: z.literal('rank'), rank: z.int().positive(), reward: z.string() });
  const value = { kind: 'rank', rank: 3, reward: '0.05' };
  const bytes = pack(schema, value);
  expect([...bytes]).toEqual([3, 4, ...Buffer.from('0.05')]);
  expect(unpack(schema, bytes)).toEqual(value);
});

test('what is missing, null, chosen or listed is the same where it is read', () => {
  const schema = z.object({
    name: z.string().optional(),
    player: z.object({ x: z.number(), isBot: z.boolean() }).nullable(),
    rows: z.array(z.union([z.int().nonnegative(), z.tuple([z.string(), z.int().nonnegative()])])),
    line: z.discriminatedUnion('type', [
      z.object({ type: z.literal('kill'), victim: z.string() }),
      z.object({ type: z.literal('join') }),
    ]),
    cause: z.enum(['eaten', 'portal']),
  });
  const values = [
    { player: null, rows: [], line: { type: 'join' }, cause: 'portal' },
    {
      name: '',
      player: { x: -0.5, isBot: true },
      rows: [7, ['Bo', 300], 0],
      line: { type: 'kill', victim: 'ä🦠' },
      cause: 'eaten',
    },
  ];
  for (const value of values) expect(unpack(schema, pack(schema, value))).toEqual(value);
});

test('whole numbers, other numbers and texts of any size survive', () => {
  const schema = z.tuple([z.int().nonnegative(), z.number(), z.string()]);
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.double(), fc.string({ unit: 'grapheme', maxLength: 500 }), (...value) => {
      expect(unpack(schema, pack(schema, value))).toEqual(value);
    }),
  );
});

test('bytes that end too early are an error, however many entries they promise', () => {
  const schema = z.array(z.string());
  const bytes = pack(schema, ['one', 'two']);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => packingOf(schema).read(createByteReader(bytes.subarray(0, length)))).toThrow(RangeError);
  }
  expect(() => packingOf(schema).read(createByteReader(new Uint8Array(9).fill(0xff)))).toThrow(RangeError);
});

test('a kind of schema that has no packing is noticed at once', () => {
  expect(() => packingOf(z.object({ when: z.date() }))).toThrow('no packing');
});
