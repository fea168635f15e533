import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReservedName, profanityFilter } from './reserved-names.ts';

const filter = profanityFilter(['Ass', 'dumb', 'dumb ass', 'a$$', 'c.r', 'scheiße', ' ', '']);

describe('profanityFilter', () => {
  test.each([
    ['you ass', 'you ****'],
    ['ASS!', '****!'],
    ['class assess bass', 'class assess bass'],
    ['ass, ass and ass', '****, **** and ****'],
    ['ass_ass', 'ass_ass'],
    ['a dumb ass here', 'a **** here'],
    ['dumb  ass', '****  ****'],
    ['such a$$!', 'such ****!'],
    ['car c.r', 'car ****'],
    ['SCHEISSE scheiße', 'SCHEISSE ****'],
    ['éass assé', 'éass assé'],
    ['', ''],
    ['fine words', 'fine words'],
  ])('masks %j as %j', (text, masked) => {
    expect(filter.mask(text)).toBe(masked);
    expect(filter.matches(text)).toBe(masked !== text);
  });

  test('leaves nothing to find and touches nothing else', () => {
    const word = fc.constantFrom('ass', 'Dumb', 'hello', 'class', 'a$$', 'you', '😀', '.');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const masked = filter.mask(words.join(' '));
        expect(filter.matches(masked)).toBe(false);
        expect(masked.match(/hello/g)?.length ?? 0).toBe(words.filter((each) => each === 'hello').length);
      }),
    );
  });

  test('takes any list literally', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (list, text) => {
        expect(typeof profanityFilter(list).mask(text)).toBe('string');
      }),
    );
    expect(profanityFilter([]).mask('ass')).toBe('ass');
    expect(profanityFilter([' ']).matches('a b')).toBe(false);
  });
});

describe('isReservedName', () => {
  test.each([
    'admin',
    'ADMIN',
    'mod',
    'Support',
    'admin1',
    '1mod',
    'x_mod',
    'mod-x',
    'adm1n',
    '4dm1n',
    'm0d',
    '5upport',
  ])('reserves %s', (name) => {
    expect(isReservedName(name)).toBe(true);
  });
  test.each(['modest', 'badminton', 'nomad', 'supporter', 'player1', ''])('leaves %j', (name) => {
    expect(isReservedName(name)).toBe(false);
  });
});
