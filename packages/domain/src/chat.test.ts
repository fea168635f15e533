import { describe, expect, it } from 'vitest';
import { appendChatMessage, cleanChatMessage } from './chat.ts';
import { refuse } from './errors/registry.ts';
import { ok } from './errors/result.ts';

describe('cleanChatMessage', () => {
  it('trims', () => {
    expect(cleanChatMessage('  gg \n')).toEqual(ok('gg'));
  });
  it.each(['', ' ', '\n\t'])('ignores %j', (text) => {
    expect(cleanChatMessage(text)).toEqual(refuse('CHAT_EMPTY'));
  });
  it('allows 200 characters after trimming, not 201', () => {
    expect(cleanChatMessage(` ${'x'.repeat(200)} `)).toEqual(ok('x'.repeat(200)));
    expect(cleanChatMessage('x'.repeat(201))).toEqual(refuse('CHAT_TOO_LONG', { maxLength: 200 }));
  });
});

describe('appendChatMessage', () => {
  it('keeps 50, then cuts back to the latest 30', () => {
    let list: readonly number[] = [];
    for (let message = 1; message <= 50; message += 1) list = appendChatMessage(list, message);
    expect(list).toHaveLength(50);
    list = appendChatMessage(list, 51);
    expect(list).toHaveLength(30);
    expect(list.at(-1)).toBe(51);
    expect(list[0]).toBe(22);
  });
});
