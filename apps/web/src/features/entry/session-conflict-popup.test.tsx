// @vitest-environment happy-dom
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionConflictPopup } from './session-conflict-popup.tsx';

const payment = { sessionId: 's1', lobbyId: 'mitosis', paymentSessionId: 'p1' };
const conflict: SessionConflict = {
  message: 'A payment of yours is still being processed.',
  instruction: '',
  sessionTTL: 60,
  isPaymentSession: true,
  sessionStatus: 'payment_processing',
  payment,
};
const handlers = { onClose: vi.fn(), onReturn: vi.fn(), onResume: vi.fn() };
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});
afterEach(() => act(() => root.unmount()));

const buttons = () => [...document.querySelectorAll('button')];

test('a payment that is being verified can be gone on with in this window', async () => {
  await act(() =>
    root.render(<SessionConflictPopup conflict={conflict} isOverMatch={false} {...handlers} />),
  );
  await act(async () =>
    buttons()
      .find(({ textContent }) => textContent === 'Continue here')!
      .click(),
  );
  expect(handlers.onResume).toHaveBeenCalledExactlyOnceWith(payment);
});

test('but not over a match', async () => {
  await act(() => root.render(<SessionConflictPopup conflict={conflict} isOverMatch {...handlers} />));
  expect(buttons().map(({ textContent }) => textContent)).toEqual(['Cancel']);
});
