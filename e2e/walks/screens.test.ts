import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import {
  arenaPopupPictures,
  disconnectPictures,
  paidArenaPictures,
  QUIET_RULES,
  spectatorPictures,
} from '../pictures/arena.ts';
import { createAxeCamera } from '../pictures/axe-camera.ts';
import { DUEL_RULES, endingPictures } from '../pictures/endings.ts';
import { closedLobbyPicture, entryPictures, failedPaymentPicture } from '../pictures/entry.ts';
import { gatePictures, publicPages } from '../pictures/gates.ts';
import { menuPictures, menuPopupPictures } from '../pictures/menu.ts';
import { signUp } from '../player.ts';

/** The walk that takes the pictures of every screen, with axe looking instead of a lens. */
describe('axe has nothing serious against, in either theme,', () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    const rules = { ...DUEL_RULES, bots: { sight: 1, joinEverySeconds: 1_000 } };
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules, limitScale: 100 })]);
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  test('the menu, its popups and those of entering a lobby', async () => {
    const camera = createAxeCamera();
    const page = await menuPictures(camera, browser, engulf);
    await menuPopupPictures(camera, page);
    await entryPictures(camera, page);
    await failedPaymentPicture(camera, page);
    await closedLobbyPicture(camera, page);
    await page.context().close();
    expect(camera.flaws).toEqual([]);
    expect(camera.seen.length).toBeGreaterThan(15);
  });

  test('the pages shown instead of the game, and those that anybody can read', async () => {
    const camera = createAxeCamera();
    await gatePictures(camera, browser, engulf);
    await publicPages(camera, browser, engulf);
    expect(camera.flaws).toEqual([]);
    expect(camera.seen.length).toBeGreaterThan(7);
  });

  test('what a match ends with, and what is left of it in the menu', async () => {
    const camera = createAxeCamera();
    await endingPictures(camera, browser, engulf);
    expect(camera.flaws).toEqual([]);
    expect(camera.seen).toContain('bag-secured');
  });

  test('the arena, with and without the server', async () => {
    await engulf.stop();
    engulf = await startEngulf({ rules: QUIET_RULES, after: engulf, limitScale: 100 });
    const camera = createAxeCamera();
    const { page } = await signUp(browser, engulf);
    await spectatorPictures(camera, page);
    await arenaPopupPictures(camera, page);
    await page.context().close();
    const payer = await signUp(browser, engulf);
    await paidArenaPictures(camera, payer.page);
    await engulf.kill();
    await disconnectPictures(camera, payer.page);
    expect(camera.flaws).toEqual([]);
    expect(camera.seen).toContain('disconnected');
  });
});
