import { USERNAME_LIMITS } from '@engulf/domain/ids/username';
import { expect, test } from 'vitest';
import { playerIdOf } from '../players.ts';
import { botName } from './bot-names.ts';

test('the bots of a match have distinct names that fit the limits of usernames', () => {
  const names = Array.from({ length: 200 }, (_, slot) => botName('a-match', playerIdOf(slot, 3)));
  expect(new Set(names).size).toBe(200);
  for (const name of names) {
    expect(name.length).toBeLessThanOrEqual(USERNAME_LIMITS.maxLength);
    expect(name).toMatch(/^[A-Za-z0-9]{3,}$/);
  }
});

test('a bot is called the same wherever its match is shown, and another match has other bots', () => {
  const bot = playerIdOf(4, 7);
  expect(botName('a-match', bot)).toBe(botName('a-match', bot));
  expect(botName('b-match', bot)).not.toBe(botName('a-match', bot));
});
