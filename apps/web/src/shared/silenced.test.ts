// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { settings } from './settings.ts';
import { isSilenced, setSilenced, silencedNames } from './silenced.ts';

afterEach(() => settings.reset('silenced'));

test('players are silenced by name, and heard again', () => {
  setSilenced('Ann', true);
  setSilenced('Bob', true);
  setSilenced('Ann', true);
  expect(silencedNames()).toEqual(['Bob', 'Ann']);
  setSilenced('Bob', false);
  expect([isSilenced('Bob'), isSilenced('Ann'), isSilenced(undefined)]).toEqual([false, true, false]);
  setSilenced('Ann', false);
  expect(silencedNames()).toEqual([]);
});
