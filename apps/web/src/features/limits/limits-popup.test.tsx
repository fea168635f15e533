// @vitest-environment happy-dom
import type { OwnLimits } from '@engulf/protocol/http/limits';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { button, press, render, typeInto, unmount } from '../../testing/page.ts';
import { Toaster } from '../../ui/toast.tsx';
import { LimitsPopup } from './limits-popup.tsx';

const SOL: OwnLimits['deposits'][number] = {
  tokenSymbol: 'SOL',
  tokenDecimals: 9,
  tokenMint: null,
  limit: null,
  pending: null,
  deposited: '250000000',
};

const asked: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
let answerCall: () => Response;
const signOutEverywhere = vi.fn();

function limits(change: Partial<OwnLimits> = {}): Response {
  return Response.json({ status: 'success', breakUntil: null, deposits: [SOL], ...change });
}

beforeEach(() => {
  asked.length = 0;
  answerCall = () => limits();
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (method !== 'GET') asked.push({ method: method!, path, body: JSON.parse(String(body)) });
    return answerCall();
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <LimitsPopup onClose={() => {}} onSignOutEverywhere={signOutEverywhere} />
      <Toaster place="menu" />
    </QueryClientProvider>,
  );
  await settle();
}
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)));
const field = (label: string) => document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!;
const amount = () => field('Daily limit in SOL');
const page = () => document.body.textContent!;

describe('the daily limit', () => {
  test('shows what was paid, and a looser limit that waits for its day', async () => {
    const pending = { limit: '2000000000', from: '2026-03-01T12:00:00.000Z' };
    answerCall = () => limits({ deposits: [{ ...SOL, limit: '500000000', pending }] });
    await open();
    expect(amount().value).toBe('0.5');
    expect(page()).toContain('0.25 SOL paid in the last 24 hours');
    expect(page()).toMatch(/From .+: 2 SOL/);
  });

  test('is sent in base units, with a comma or a point, and what the server answers is shown', async () => {
    await open();
    expect(button('Save').disabled).toBe(true);
    await typeInto(amount(), ' 0,5 ');
    answerCall = () => limits({ deposits: [{ ...SOL, limit: '500000000' }] });
    await press('Save');
    await settle();
    expect(asked).toEqual([
      { method: 'PUT', path: '/api/limits/deposit', body: { tokenMint: null, limit: '500000000' } },
    ]);
    expect(amount().value).toBe('0.5');
    expect(page()).toContain('Limit saved');
  });

  test.each(['much', '-1', '0.0000000001', '20000000000'])('of %s is not sent', async (text) => {
    await open();
    await typeInto(amount(), text);
    await press('Save');
    expect(asked).toEqual([]);
    expect(document.querySelector('[role=alert]')!.textContent).toBe(
      'Enter a number with at most 9 decimals.',
    );
    await typeInto(amount(), '1');
    expect(document.querySelector('[role=alert]')).toBeNull();
  });

  test('can be removed only if there is one', async () => {
    await open();
    expect(button('Remove')).toBeUndefined();
    await unmount();
    answerCall = () => limits({ deposits: [{ ...SOL, limit: '500000000' }] });
    await open();
    await press('Remove');
    await settle();
    expect(asked.at(-1)!.body).toEqual({ tokenMint: null, limit: null });
  });

  test('that the server refuses stays in the field, with the reason', async () => {
    await open();
    await typeInto(amount(), '3');
    answerCall = () =>
      Response.json({ error: 'RATE_LIMITED', message: 'Slow down, please.' }, { status: 429 });
    await press('Save');
    await settle();
    expect(amount().value).toBe('3');
    expect(page()).toContain('Slow down, please.');
    expect(button('Save').disabled).toBe(false);
  });
});

describe('a break', () => {
  test.each(['', '0', '31', 'x', '1.5'])('of %j days cannot be taken', async (text) => {
    await open();
    await typeInto(field('Days'), text);
    expect(button('Take a break').disabled).toBe(true);
  });

  test('is asked about twice, and then taken', async () => {
    await open();
    await typeInto(field('Days'), '7');
    await press('Take a break');
    expect(asked).toEqual([]);
    expect(page()).toMatch(/again from .+, not earlier/);
    answerCall = () => limits({ breakUntil: '2026-03-08T12:00:00.000Z' });
    await press('Yes, 7 days');
    await settle();
    expect(asked).toEqual([{ method: 'POST', path: '/api/limits/break', body: { days: 7 } }]);
    expect(page()).toContain('You are taking a break until');
  });

  test('is not taken if the player thinks better of it, or changes its length', async () => {
    await open();
    await typeInto(field('Days'), '7');
    await press('Take a break');
    await press('Cancel');
    expect(button('Yes, 7 days')).toBeUndefined();
    await press('Take a break');
    await typeInto(field('Days'), '1');
    expect(button('Yes, 1 day')).toBeUndefined();
    expect(button('Take a break')).toBeDefined();
    expect(asked).toEqual([]);
  });
});

test('limits that cannot be loaded are not shown as no limits', async () => {
  answerCall = () => Response.json({}, { status: 500 });
  await open();
  expect(page()).toContain('Your limits could not be loaded.');
  expect(document.querySelector('input')).toBeNull();
});

test('signing out everywhere is offered', async () => {
  await open();
  await press('Sign out everywhere');
  expect(signOutEverywhere).toHaveBeenCalledOnce();
});
