import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChatIntent, parseChatInput } from './chat-input.ts';
import { describeFailure, type ErrorCode } from './errors/registry.ts';
import { ok } from './errors/result.ts';

describe('parseChatInput', () => {
  it.each<[string, ChatIntent]>([
    [' gg ', { kind: 'public', message: 'gg' }],
    ['mail me@home', { kind: 'public', message: 'mail me@home' }],
    ['@ann hi there', { kind: 'private', to: 'ann', message: 'hi there' }],
    ['@ann   hi', { kind: 'private', to: 'ann', message: 'hi' }],
    ['@ann\nhi\nyou', { kind: 'private', to: 'ann', message: 'hi\nyou' }],
  ])('%j from a player', (text, intent) => {
    expect(parseChatInput(text, false)).toEqual(ok(intent));
  });

  it.each<[string, ChatIntent]>([
    ['/clear', { kind: 'command', command: 'clear', args: [] }],
    ['/kick ann', { kind: 'command', command: 'kick', args: ['ann'] }],
    ['/announce back in 5', { kind: 'command', command: 'announce', args: ['back in 5'] }],
    ['/KICK ann', { kind: 'command', command: 'kick', args: ['ann'] }],
  ])('%j from an admin', (text, intent) => {
    expect(parseChatInput(text, true)).toEqual(ok(intent));
  });

  it.each<[string, boolean, ErrorCode]>([
    ['', false, 'CHAT_EMPTY'],
    ['x'.repeat(201), false, 'CHAT_TOO_LONG'],
    ['@ann', false, 'CHAT_PRIVATE_FORMAT'],
    ['@ann ', false, 'CHAT_PRIVATE_FORMAT'],
    ['@ hello', false, 'CHAT_PRIVATE_FORMAT'],
    ['@', false, 'CHAT_PRIVATE_FORMAT'],
    ['/clear', false, 'CHAT_COMMAND_FORBIDDEN'],
    ['/', true, 'CHAT_COMMAND_INVALID'],
    ['/dance', true, 'CHAT_COMMAND_INVALID'],
    ['/clear all', true, 'CHAT_COMMAND_INVALID'],
    ['/kick', true, 'CHAT_COMMAND_INVALID'],
    ['/kick ann bob', true, 'CHAT_COMMAND_INVALID'],
    ['/announce', true, 'CHAT_COMMAND_INVALID'],
  ])('refuses %j (admin: %s) with %s', (text, isAdmin, code) => {
    expect(parseChatInput(text, isAdmin)).toMatchObject({ ok: false, error: { code } });
  });

  it('says how a private message is written', () => {
    const result = parseChatInput('@ann', false);
    expect(result.ok ? '' : describeFailure(result.error).text).toBe(
      'Private message format: @username message',
    );
  });

  it('never turns a player’s line into a command', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const result = parseChatInput(`/${text}`, false);
        expect(result.ok).toBe(false);
      }),
    );
  });
});
