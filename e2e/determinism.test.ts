import { join } from 'node:path';
import { determinismHash } from '@engulf/sim/testing/recorded-match';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';

describe('the simulation in a browser', () => {
  test('the simulation reaches the same state in Chromium as in Node after 10,000 steps', {
    timeout: 120_000,
  }, async () => {
    const bundle = await build({
      entryPoints: [join(import.meta.dirname, '../packages/sim/src/testing/recorded-match.ts')],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'sim',
    });
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: bundle.outputFiles[0]!.text });
      const inBrowser = await page.evaluate('sim.determinismHash(31, 10000)');
      expect(inBrowser).toBe(determinismHash(31, 10_000));
    } finally {
      await browser.close();
    }
  });
});
