// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { memoryStorage } from '../testing/fixtures.ts';
import { applyAppearance, applyFit } from './appearance.ts';
import { createSettings, settings } from './settings.ts';

test('theme and motion follow the settings until told to stop', () => {
  const root = document.createElement('div');
  const some = createSettings(memoryStorage());
  const stop = applyAppearance(root, some);
  expect(root.dataset).toMatchObject({ theme: 'dark', motion: 'full' });
  some.write('darkMode', false);
  some.write('reducedMotion', true);
  expect(root.dataset).toMatchObject({ theme: 'light', motion: 'reduced' });
  stop();
  some.write('darkMode', true);
  expect(root.dataset.theme).toBe('light');
});

test('the size of the menu follows the setting and the window', () => {
  const root = document.createElement('div');
  let size = 1;
  Object.assign(window, { innerWidth: 1_920, innerHeight: 1_080 });
  const stop = applyFit(root, () => size);
  const scale = () => root.style.getPropertyValue('--menu-scale');
  expect([scale(), root.dataset.fit]).toEqual(['1', 'short']);
  size = 1.2;
  settings.write('uiScale', size);
  expect([scale(), root.dataset.fit]).toEqual(['1.2', 'small short']);
  Object.assign(window, { innerWidth: 1_100 });
  window.dispatchEvent(new Event('resize'));
  expect(scale()).toBe('1');
  stop();
  settings.reset('uiScale');
});
