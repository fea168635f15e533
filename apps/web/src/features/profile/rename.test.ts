import { err, ok } from '@engulf/domain/errors/result';
import { describe, expect, test, vi } from 'vitest';
import { rename } from './username-field.tsx';

const saved = () => vi.fn(async (name: string) => ok({ status: 'success' as const, newValue: name }));

describe('rename', () => {
  test('does nothing for the name one has', async () => {
    const save = saved();
    expect(await rename('MoonYolk', ' MoonYolk ', save)).toEqual(ok(undefined));
    expect(save).not.toHaveBeenCalled();
  });

  test.each([
    ['', 'Username is required'],
    ['ab', 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _'],
    ['a b c', 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _'],
    ['admin', 'Username contains inappropriate content'],
  ])('refuses %j before asking the server', async (draft, text) => {
    const save = saved();
    expect(await rename('MoonYolk', draft, save)).toEqual(err({ title: 'Invalid Username', text }));
    expect(save).not.toHaveBeenCalled();
  });

  test('answers the name that the server kept', async () => {
    expect(await rename('MoonYolk', ' Wobble ', saved())).toEqual(ok('Wobble'));
  });

  test('passes on the words of the server, or the usual ones', async () => {
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
