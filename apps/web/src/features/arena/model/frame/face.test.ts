import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { expect, test } from 'vitest';
import { findFace } from './face.ts';

const player = (slot: number, name: string, colour: number, picture?: string): [number, PlayerView] => [
  slot,
  {
    slot,
    id: slot,
    name,
    colour,
    picture,
    isBot: false,
    isAdmin: false,
    reward: '',
    invulnerableUntilTick: 0,
    cells: [],
  },
];
const hash = 'ab'.repeat(32);
const view = { players: new Map([player(0, 'OozeLord', 7, hash), player(1, 'nibbler', 3)]) };

test('a player has the picture and the colour of its cells, also when they are gone', () => {
  expect(findFace(view, 'OozeLord')).toEqual({ avatarUrl: `/avatars/${hash}.png`, colour: 7 });
});

test('a player without a picture of its own has the default portrait', () => {
  expect(findFace(view, 'nibbler')).toEqual({ avatarUrl: null, colour: 3 });
});

test('a player who was never in view has no known face', () => {
  expect(findFace(view, 'vanta')).toBeUndefined();
});
