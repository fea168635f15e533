import { USERNAME_LIMITS } from '@engulf/domain/ids/username';
import { expect, test } from 'vitest';
import { chooseBotName } from './bot-names.ts';

test('bots get distinct names that fit the limits of usernames', () => {
  const names = new Set<string>();
  for (let i = 0; i < 200; i++) names.add(chooseBotName(names));
  expect(names.size).toBe(200);
  for (const name of names) {
    expect(name.length).toBeLessThanOrEqual(USERNAME_LIMITS.maxLength);
    expect(name).toMatch(/^[A-Za-z0-9]{3,}$/);
  }
});
