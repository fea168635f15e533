// @vitest-environment happy-dom
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { settings } from '../../shared/settings.ts';
import { press, render } from '../../testing/page.ts';
import { GuidePopup } from './guide-popup.tsx';

const onClose = vi.fn();
const KEYS = { split: 'Q', eject: 'W' };
const film = () => document.querySelector('video')!;

afterEach(() => {
  settings.reset('reducedMotion');
  vi.clearAllMocks();
});

test('the film plays by itself, silently and again and again', async () => {
  await render(<GuidePopup keys={KEYS} onClose={onClose} />);
  expect([film().autoplay, film().muted, film().loop]).toEqual([true, true, true]);
});

test('the film waits to be started if the player wants less motion', async () => {
  settings.write('reducedMotion', true);
  await render(<GuidePopup keys={KEYS} onClose={onClose} />);
  expect(film().autoplay).toBe(false);
  const play = vi.spyOn(film(), 'play').mockResolvedValue();
  const toggle = () => document.querySelector<HTMLButtonElement>('video ~ button')!;
  expect(toggle().getAttribute('aria-label')).toBe('Start the film');
  await act(() => toggle().click());
  expect(play).toHaveBeenCalledTimes(1);
  await act(() => void film().dispatchEvent(new Event('play', { bubbles: true })));
  const pause = vi.spyOn(film(), 'pause').mockReturnValue();
  expect(toggle().getAttribute('aria-label')).toBe('Pause the film');
  await act(() => toggle().click());
  expect(pause).toHaveBeenCalledTimes(1);
});

test('film and still picture are files of the page', async () => {
  await render(<GuidePopup keys={KEYS} onClose={onClose} />);
  const files = join(import.meta.dirname, '../../../public');
  for (const name of ['src', 'poster'])
    expect(existsSync(join(files, film().getAttribute(name)!))).toBe(true);
});

test('every rule has a name and a sentence', async () => {
  await render(<GuidePopup keys={KEYS} onClose={onClose} />);
  const rules = [...document.querySelectorAll('li')];
  expect(rules).toHaveLength(6);
  expect(document.body.textContent).toContain('Q splits');
  for (const rule of rules) {
    expect(rule.querySelector('h3')!.textContent).not.toBe('');
    expect(rule.querySelector('p')!.textContent!.length).toBeGreaterThan(20);
  }
});

test('the button and Escape close it', async () => {
  await render(<GuidePopup keys={KEYS} onClose={onClose} />);
  const [last] = [...document.querySelectorAll('button')]
    .filter(({ textContent }) => textContent !== '')
    .slice(-1);
  await press(last!.textContent!);
  expect(onClose).toHaveBeenCalledTimes(1);
  await act(() => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  expect(onClose).toHaveBeenCalledTimes(2);
});
