import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuse } from '../errors/registry.ts';
import { ok } from '../errors/result.ts';
import { cleanChatMessage } from './chat-text.ts';

describe('a chat message', () => {
  test.each([
    ['  gg \n', 'gg'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['a\u0000b\u001bc', 'abc'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['ze\u200bro\ufeff wid\u2060th', 'zero width'],
    ['a\u200db', 'ab'],
    ['hidden\u{e0041}\u{e0042} tags', 'hidden tags'],
    ['\u2066isolated\u2069', 'isolated'],
    ['half a pair \ud83d', 'half a pair'],
    [`Z${'\u0335'.repeat(50)}`, `Z${'\u0335'.repeat(4)}`],
    ['👩‍🚀 and 👨‍👩‍👧 and ❤️‍🔥', '👩‍🚀 and 👨‍👩‍👧 and ❤️‍🔥'],
    ['Grüße, 你好, नमस्ते, שלום', 'Grüße, 你好, नमस्ते, שלום'],
  ])('%j becomes %j', (text, message) => {
    expect(cleanChatMessage(text)).toEqual(ok(message));
  });

  test.each(['', ' ', '\n\t', '\u200b\u2060', '\u00a0\u3000', '\u2800', '\u3164', '\ufe0f\u200d'])(
    'that shows nothing is refused: %j',
    (text) => {
      expect(cleanChatMessage(text)).toEqual(refuse('CHAT_EMPTY'));
    },
  );

  test('has at most 200 characters after trimming', () => {
    expect(cleanChatMessage(` ${'x'.repeat(200)} `)).toEqual(ok('x'.repeat(200)));
    expect(cleanChatMessage('x'.repeat(201))).toEqual(refuse('CHAT_TOO_LONG', { maxLength: 200 }));
  });

  test('that was cleaned does not change when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const once = cleanChatMessage(text);
        if (once.ok) expect(cleanChatMessage(once.value)).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
  });
});
