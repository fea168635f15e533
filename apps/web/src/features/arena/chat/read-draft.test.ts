import { expect, test } from 'vitest';
import { readDraft } from './read-draft.ts';

test.each([
  ['  hello there ', ['chat', { message: 'hello there' }]],
  ['@ann behind you', ['privateMessage', { to: 'ann', message: 'behind you' }]],
  ['   ', undefined],
  ['', undefined],
])('%j is sent as %j', (draft, message) => {
  expect(readDraft(draft, false)).toEqual({ ok: true, value: message });
});

test.each([
  ['@ann', 'CHAT_PRIVATE_FORMAT'],
  ['/clear', 'CHAT_COMMAND_FORBIDDEN'],
  ['x'.repeat(201), 'CHAT_TOO_LONG'],
])('%j is not sent: %s', (draft, code) => {
  expect(readDraft(draft, false)).toMatchObject({ ok: false, error: { code } });
});

test.each([
  ['/clear', ['admin', { command: 'clear', args: [] }]],
  ['/kick  ann', ['admin', { command: 'kick', args: ['ann'] }]],
  ['/announce back in 5', ['admin', { command: 'announce', args: ['back', 'in', '5'] }]],
])('an admin gives the command %j', (draft, message) => {
  expect(readDraft(draft, true)).toEqual({ ok: true, value: message });
});

test('an unknown command is explained before it is sent', () => {
  expect(readDraft('/dance', true)).toMatchObject({ ok: false, error: { code: 'CHAT_COMMAND_INVALID' } });
});
