import { expect, test } from 'vitest';
import {
  bracketed,
  leadingType,
  parseTypedValue,
  registersOf,
  splitTopLevel,
  trailingType,
} from './syntax.ts';

test('splitTopLevel splits at commas outside brackets and quotes', () => {
  expect(splitTopLevel('ptr %a, { i64, i64 } %b, i32 range(i32 0, 5) %c')).toEqual([
    'ptr %a',
    '{ i64, i64 } %b',
    'i32 range(i32 0, 5) %c',
  ]);
  expect(splitTopLevel('ptr @"a,b(", i64 1')).toEqual(['ptr @"a,b("', 'i64 1']);
  expect(splitTopLevel('')).toEqual([]);
});

test('bracketed finds the closing bracket', () => {
  expect(bracketed('f(a, g(b), c) #1', 1)).toEqual({ inner: 'a, g(b), c', end: 12 });
  expect(() => bracketed('f(a', 1)).toThrow('unbalanced');
});

test('leadingType and trailingType read the type at either end', () => {
  expect(leadingType('{ i64, [2 x i8] } %x')).toBe('{ i64, [2 x i8] }');
  expect(leadingType('ptr noundef %x')).toBe('ptr');
  expect(trailingType('internal fastcc noundef range(i64 1, 9) i64')).toBe('i64');
  expect(trailingType('internal fastcc { i64, { i8, ptr } }')).toBe('{ i64, { i8, ptr } }');
});

test('parseTypedValue strips attributes', () => {
  const value = (text: string) => parseTypedValue(text).value;
  expect(
    value('ptr noalias noundef nonnull align 8 captures(address, read_provenance) dereferenceable(24) %x'),
  ).toBe('%x');
  expect(value('i64 noundef range(i64 0, 5) 3')).toBe('3');
  expect(value('ptr noundef null')).toBe('null');
  expect(value('ptr nonnull getelementptr inbounds (i8, ptr @a, i64 8)')).toBe(
    'getelementptr inbounds (i8, ptr @a, i64 8)',
  );
});

test('registersOf counts the 64-bit registers of a type', () => {
  expect(['i1', 'ptr', 'i64', 'i65', 'i128', '[3 x i64]', '{ i64, { ptr, i128 } }'].map(registersOf)).toEqual(
    [1, 1, 1, 2, 2, 3, 4],
  );
});
