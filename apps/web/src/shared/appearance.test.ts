// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { memoryStorage } from '../testing/fixtures.ts';
import { applyAppearance } from './appearance.ts';
import { createSettings } from './settings.ts';

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
