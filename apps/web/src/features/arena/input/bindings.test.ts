// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { settings } from '../../../shared/settings.ts';
import { actionOf, codesOf, conflictOf, keyHints } from './actions.ts';
import { bindKey, keyNameOfCode, parseBindings } from './bindings.ts';
import { listenToKeys } from './keyboard.ts';

afterEach(() => settings.reset('keyBindings'));

describe('key bindings', () => {
  test('a chosen key replaces the default everywhere', () => {
    const eject = vi.fn();
    const stop = listenToKeys('player', { eject });
    bindKey('eject', 'KeyE');
    for (const code of ['KeyE', 'KeyW']) window.dispatchEvent(new KeyboardEvent('keydown', { code }));
    stop();
    expect(eject).toHaveBeenCalledOnce();
    expect(codesOf('eject')).toEqual(['KeyE']);
    expect(actionOf('KeyW', 'player')).toBeUndefined();
    expect(keyHints('player')[0]).toEqual({ keyName: 'E', label: 'Eject mass' });
  });

  test('a key that is taken is named as a conflict, one of another role is not', () => {
    expect(conflictOf('eject', 'Space')).toBe('split');
    expect(conflictOf('eject', 'KeyW')).toBeUndefined();
    expect(conflictOf('eject', 'KeyF')).toBeUndefined();
    expect(conflictOf('map', 'KeyF')).toBe('topPlayer');
    bindKey('split', 'KeyQ');
    expect(conflictOf('eject', 'Space')).toBeUndefined();
    expect(conflictOf('eject', 'KeyQ')).toBe('split');
  });

  test.each(['', '[', 'null', '7', '{"eject":3}', '[1]'])('stored nonsense %j binds nothing', (text) => {
    expect(parseBindings(text)).toEqual({});
  });

  test.each([
    ['KeyW', 'W'],
    ['Digit4', '4'],
    ['ArrowUp', '↑'],
    ['F3', 'F3'],
  ])('%s is shown as %s', (code, name) => {
    expect(keyNameOfCode(code)).toBe(name);
  });
});
