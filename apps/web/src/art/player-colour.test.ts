import { playerColourIndex } from '@engulf/netcode/player-rows';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hueColour, PLAYER_COLOURS, playerColours } from './player-colour.ts';

describe('player colours', () => {
  test('are 12 different pairs', () => {
    expect(PLAYER_COLOURS).toHaveLength(12);
    expect(new Set(PLAYER_COLOURS.flat()).size).toBe(24);
    for (const colour of PLAYER_COLOURS.flat()) expect(colour).toMatch(/^#[0-9A-F]{6}$/);
  });

  test.each([
    ['', 0],
    ['a', 97 % 12],
    ['ab', (97 + 98) % 12],
    ['ba', (97 + 98) % 12],
    ['😀', (0xd83d + 0xde00) % 12],
  ])('of %j is pair %d', (id, index) => {
    expect(playerColourIndex(id)).toBe(index);
    expect(playerColours(id)).toBe(PLAYER_COLOURS[index]);
  });

  test('exist for any id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (id) => {
        expect(PLAYER_COLOURS).toContain(playerColours(id));
      }),
    );
  });
});

test('a hue is bright and fully saturated', () => {
  expect(hueColour(210)).toBe('hsl(210, 100%, 60%)');
});
