import { expect, test } from 'vitest';
import { refuse } from '../errors/registry.ts';
import { ok } from '../errors/result.ts';
import { isPrivateMessage, parsePrivateMessage } from './private-message.ts';

test.each([
  ['@ann hi', { to: 'ann', message: 'hi' }],
  ['@ann   @bob is behind you', { to: 'ann', message: '@bob is behind you' }],
])('%j is for one reader', (line, message) => {
  expect(isPrivateMessage(line)).toBe(true);
  expect(parsePrivateMessage(line)).toEqual(ok(message));
});

test.each(['@', '@ann', '@ann ', '@ hi', '@ ann hi'])('%j lacks a name or a message', (line) => {
  expect(parsePrivateMessage(line)).toEqual(refuse('CHAT_PRIVATE_FORMAT'));
});

test('a name in the middle of a line does not make it a private message', () => {
  expect(isPrivateMessage('hi @ann')).toBe(false);
});
