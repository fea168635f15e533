import { join } from 'node:path';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import { randomMatch } from '@engulf/sim/testing/random-play';
import { determinismHash } from '@engulf/sim/testing/recorded-match';
import { replaySpeed, replayText } from '@engulf/verify/testing/browser-replay';
import { playMatch } from '@engulf/verify/testing/played-match';
import type { Browser, Page } from '@playwright/test';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';

const PACKAGES = join(import.meta.dirname, '../packages');

describe('the simulation in a browser', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    for (const [globalName, file] of [
      ['sim', 'sim/src/testing/recorded-match.ts'],
      ['verify', 'verify/src/testing/browser-replay.ts'],
    ] as const) {
      const options = { bundle: true, write: false, format: 'iife', globalName } as const;
      const bundle = await build({ ...options, entryPoints: [join(PACKAGES, file)] });
      await page.addScriptTag({ content: bundle.outputFiles[0]!.text });
    }
  });
  afterAll(() => browser?.close());

  test('the simulation reaches the same state in Chromium as in Node after 10,000 steps', async () => {
    const inBrowser = await page.evaluate('sim.determinismHash(31, 10000)');
    expect(inBrowser).toBe(determinismHash(31, 10_000));
  });

  test('any match, cut anywhere or played to its end, replays to the same hashes in Chromium as in Node', async () => {
    await fc.assert(
      fc.asyncProperty(randomMatch, fc.nat(600), fc.boolean(), async ({ seed, moves }, more, isCut) => {
        const joined = [
          [{ what: 'join' as const, stake: 1_000n }],
          ...moves,
          ...Array.from({ length: 130 + more }, () => []),
        ];
        const rules = { ...crowdedRules, epochs: { seconds: 3 } };
        const { recording, match } = playMatch({ seed, moves: joined }, { isCut, rules });
        const secret = [...Buffer.from(match.secret!, 'hex')];
        const base64 = Buffer.from(recording).toString('base64');
        const inNode = await replayText(base64, secret);
        expect(inNode).toContain('"kind":"replayed"');
        expect(await page.evaluate(`verify.replayText('${base64}', [${secret}])`)).toBe(inNode);
      }),
      { numRuns: 25 },
    );
  });

  /** Both run on the same machine at the same time, because others may use it as well. */
  test('a match is played again in Chromium at a speed comparable to that of Node', async () => {
    const steps = 2_500;
    const inBrowser = Number(await page.evaluate(`verify.replaySpeed(${steps})`));
    console.log(`replay: ${Math.round(inBrowser)} × real time, in Node ${Math.round(replaySpeed(steps))} ×`);
    expect(inBrowser).toBeGreaterThan(10);
  });
});
