// @vitest-environment happy-dom
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noteLeftMatch } from '../../shared/stores/left-match.ts';
import { press, render } from '../../testing/page.ts';
import { SessionConflictPopup } from './session-conflict-popup.tsx';

const payment = { sessionId: 's1', lobbyId: 'mitosis', paymentSessionId: 'p1' };
const conflict: SessionConflict = {
  message: 'A payment of yours is still being processed.',
  instruction: '',
  sessionTTL: 60,
  sessionId: 's1',
  isPaymentSession: true,
  sessionStatus: 'payment_processing',
  payment,
};
const handlers = { onClose: vi.fn(), onReturn: vi.fn(), onResume: vi.fn() };

test('a payment that is being verified can be continued in this window', async () => {
  await render(<SessionConflictPopup conflict={conflict} isOverMatch={false} {...handlers} />);
  await press('Continue here');
  expect(handlers.onResume).toHaveBeenCalledExactlyOnceWith(payment);
});

test('a payment that is being verified cannot be continued over a match', async () => {
  await render(<SessionConflictPopup conflict={conflict} isOverMatch {...handlers} />);
  expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual(['Cancel']);
});

test('after a forfeit it counts down to the next match, from when the match was left', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  noteLeftMatch();
  vi.advanceTimersByTime(3_000);
  const left = {
    ...conflict,
    isPaymentSession: false,
    sessionStatus: 'playing',
    sessionTTL: 10,
    isDisconnected: true,
  };
  await render(<SessionConflictPopup conflict={left} isOverMatch={false} {...handlers} />);
  expect(document.body.textContent).toContain('You can enter another match in7 s');
});
