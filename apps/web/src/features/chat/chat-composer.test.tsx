// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../testing/page.ts';
import { ChatComposer } from './chat-composer.tsx';
import { chatInput } from './chat-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a message that was refused is called a message error, with its reason, for five seconds', async () => {
  await render(<ChatComposer isSignedIn onSend={() => {}} onConnect={() => {}} />);
  await act(() => chatInput.refused('Unable to send'));
  const banner = () => document.querySelector('[role="alert"]')?.textContent;
  expect(banner()).toBe('Message error Unable to send');
  await act(() => vi.advanceTimersByTimeAsync(4_999));
  expect(banner()).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(banner()).toBeUndefined();
});
