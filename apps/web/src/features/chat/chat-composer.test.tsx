// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChatComposer } from './chat-composer.tsx';
import { chatInput } from './chat-store.ts';

let root: Root;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.useRealTimers();
});

test('a message that was refused is called a message error, with its reason, for five seconds', async () => {
  await act(() => root.render(<ChatComposer isSignedIn onSend={() => {}} onConnect={() => {}} />));
  await act(() => chatInput.refused('Unable to send'));
  const banner = () => document.querySelector('[role="alert"]')?.textContent;
  expect(banner()).toBe('Message error Unable to send');
  await act(() => vi.advanceTimersByTimeAsync(4_999));
  expect(banner()).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(banner()).toBeUndefined();
});
