import { expect, test } from 'vitest';
import { refuse } from '../errors/registry.ts';
import { ok } from '../errors/result.ts';
import { type ChatCommand, isChatCommand, parseChatCommand } from './chat-command.ts';

test.each<[string, ChatCommand]>([
  ['/clear', { name: 'clear' }],
  ['/kick ann', { name: 'kick', username: 'ann' }],
  ['/kick @ann', { name: 'kick', username: 'ann' }],
  ['/announce back in 5', { name: 'announce', message: 'back in 5' }],
  ['/KICK ann', { name: 'kick', username: 'ann' }],
])('%j is a command', (line, command) => {
  expect(isChatCommand(line)).toBe(true);
  expect(parseChatCommand(line)).toEqual(ok(command));
});

test.each(['/', '/dance', '/clear all', '/kick', '/kick ann bob', '/announce', '/ clear'])(
  '%j is not a command that we know',
  (line) => {
    expect(parseChatCommand(line)).toEqual(refuse('CHAT_COMMAND_INVALID'));
  },
);

test('a line that does not start with a slash is not a command', () => {
  expect(isChatCommand('use /clear')).toBe(false);
});
