// @vitest-environment happy-dom

import { err, ok } from '@engulf/domain/errors/result';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { render, typeInto } from '../../testing/page.ts';
import { rename, UsernameField } from './username-field.tsx';

const fetchMock = vi.fn<typeof fetch>();
const onRenamed = vi.fn();

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock);
  fetchMock.mockImplementation(async (_, init) =>
    Response.json({ status: 'success', newValue: JSON.parse(String(init?.body)).name }),
  );
  await render(<UsernameField name="MoonYolk" onRenamed={onRenamed} />);
  await act(() => document.querySelector('button')!.click());
});

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

const type = (text: string) => typeInto(document.querySelector('input')!, text);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the username field', () => {
  test('saves once, two seconds after the last keystroke', async () => {
    await type('Wobbl');
    await pass(1_500);
    await type('Wobble');
    await pass(1_999);
    expect(fetchMock).not.toHaveBeenCalled();
    await pass(1);
    expect(fetchMock).toHaveBeenCalledOnce();
    expect(onRenamed).toHaveBeenCalledExactlyOnceWith('Wobble');
  });

  test.each(['a b', 'TooLongAName'])('reverts %s without calling the server', async (name) => {
    expect(document.querySelector('input')!.maxLength).toBe(-1);
    await type(name);
    await pass(2_000);
    expect(fetchMock).not.toHaveBeenCalled();
    expect(document.querySelector('h1')!.textContent).toBe('MoonYolk');
  });

  test('drops the draft on Escape', async () => {
    await type('Wobble');
    await act(() => {
      document
        .querySelector('input')!
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    });
    await pass(5_000);
    expect(fetchMock).not.toHaveBeenCalled();
    expect(document.querySelector('h1')!.textContent).toBe('MoonYolk');
  });
});

const saved = () => vi.fn(async (name: string) => ok({ status: 'success' as const, newValue: name }));

describe('rename', () => {
  test('does nothing for an unchanged name', async () => {
    const save = saved();
    expect(await rename('MoonYolk', ' MoonYolk ', save)).toEqual(ok(undefined));
    expect(save).not.toHaveBeenCalled();
  });

  test.each([
    ['', 'Username is required'],
    ['ab', 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _'],
    ['a b c', 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _'],
    ['admin', 'Username contains inappropriate content'],
  ])('refuses %j without calling the server', async (draft, text) => {
    const save = saved();
    expect(await rename('MoonYolk', draft, save)).toEqual(err({ title: 'Invalid Username', text }));
    expect(save).not.toHaveBeenCalled();
  });

  test('returns the name that the server saved', async () => {
    expect(await rename('MoonYolk', ' Wobble ', saved())).toEqual(ok('Wobble'));
  });

  test('shows the message of the server, or the default', async () => {
    const failing = (code: string, message: string) => async () =>
      err({ code, message, httpStatus: 409, body: undefined });
    expect(await rename('A-b', 'Wobble', failing('USERNAME_TAKEN', 'Username is already taken'))).toEqual(
      err({ title: 'Invalid Username', text: 'Username is already taken' }),
    );
    expect(await rename('A-b', 'Wobble', failing('SOMETHING', ''))).toEqual(
      err({ title: 'Error', text: 'Failed to update profile details' }),
    );
  });
});
