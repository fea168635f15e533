// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render, typeInto } from '../../../testing/page.ts';
import { ChatDraft } from './chat-draft.tsx';
import { createChatStore, showProblem } from './chat-store.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

async function write(isSent: boolean) {
  const chat = createChatStore();
  const onSend = vi.fn(() => isSent);
  await render(
    <ChatDraft chat={chat} ref={null} isPlayer isAdmin={false} onSend={onSend}>
      {null}
    </ChatDraft>,
  );
  const input = document.querySelector('input')!;
  await typeInto(input, 'behind you');
  await act(() => document.querySelector('form')!.requestSubmit());
  expect(onSend).toHaveBeenCalledWith('chat', { message: 'behind you' });
  return { chat, input, problem: chat.getState().problem };
}

test('a line that was sent leaves the field', async () => {
  const { input, problem } = await write(true);
  expect(input.value).toBe('');
  expect(problem).toBeUndefined();
});

test('a line that cannot be sent stays in the field, and the player is told', async () => {
  const { input, problem } = await write(false);
  expect(input.value).toBe('behind you');
  expect(problem?.text).toBe('Unable to send');
});

test('a line that was lost on its way comes back into the field', async () => {
  const { chat, input } = await write(true);
  expect(chat.getState().isUnderWay).toBe(true);
  await act(() => showProblem(chat, 'Unable to send', 'refused'));
  expect(input.value).toBe('behind you');
  expect(chat.getState().isUnderWay).toBe(false);
});
