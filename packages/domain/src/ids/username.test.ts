import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeFailure } from '../errors/registry.ts';
import { validateUsername } from './username.ts';

const findProfanity = (text: string) =>
  [...text.matchAll(/\bass\b|shit/gi)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
const verdict = (text: string) => {
  const result = validateUsername(text, findProfanity);
  return result.ok ? result.value : describeFailure(result.error).text;
};

const MALFORMED = 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _';
const INAPPROPRIATE = 'Username contains inappropriate content';

describe('validateUsername', () => {
  test.each([
    ['ann', 'ann'],
    ['  Ann_B-9  ', 'Ann_B-9'],
    ['abcdefghij', 'abcdefghij'],
    ['class', 'class'],
    ['', 'Username is required'],
    ['   ', 'Username is required'],
    ['ab', MALFORMED],
    ['abcdefghijk', MALFORMED],
    ['a b', MALFORMED],
    ['äöü', MALFORMED],
    ['a.b', MALFORMED],
    ['ann\nbob', MALFORMED],
    ['Ass', INAPPROPRIATE],
    ['big_ass', INAPPROPRIATE],
    ['ass99', INAPPROPRIATE],
    ['Admin', INAPPROPRIATE],
    ['mod_1', INAPPROPRIATE],
  ])('%j gives %j', (text, expected) => {
    expect(verdict(text)).toBe(expected);
  });

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
    'moderator',
    'M0derat0r',
    'mods',
    'staff',
    'Staff_7',
    'engulf',
    'Engulf_Bot',
    'ENGUIF',
    '3ngu1f',
    'en_gu_lf',
    'rnod',
    'a_d_m_i_n',
    'addmin',
    'admln',
    'adm1n1str',
    'sysadmin',
    '0fficial',
    's-t-a-f-f',
    'system',
    'server',
  ])('keeps %s for staff', (name) => {
    expect(verdict(name)).toBe(INAPPROPRIATE);
  });

  test.each([
    'modest',
    'badminton',
    'nomad',
    'supporter',
    'player1',
    'gulf',
    'devil',
    'steam',
    'robot',
    'model',
    'Gobbler',
    'cell-b7x2z',
  ])('lets anyone be called %s', (name) => {
    expect(verdict(name)).toBe(name);
  });

  test.each(['a_s_s', 'a-s-s', 'a5s', '4ss', 'a_5_5', 'a1s2s'])('sees the word in %s', (name) => {
    expect(verdict(name)).toBe(INAPPROPRIATE);
  });

  test.each(['Chris_Hit', 'mass-hit', 'Push_It', 'Wish_it2', 'Fish_It', 'pushit', 'Mr_Dickson'])(
    'sees nothing in %s',
    (name) => {
      expect(verdict(name)).toBe(name);
    },
  );

  test.each(['s_h_i_t', 'sh_it', 's-hit', 'xxsh_it', 'x_sh_it', 'Bullsh1t', 'sh1t', 'ass_pushit'])(
    'still sees the word in %s',
    (name) => {
      expect(verdict(name)).toBe(INAPPROPRIATE);
    },
  );

  test('accepts nothing but 3 to 10 letters, digits, - and _', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 14 }), (text) => {
        const result = validateUsername(text, findProfanity);
        if (result.ok) expect(result.value).toMatch(/^[\w-]{3,10}$/);
      }),
    );
  });
});
