import { type Browser, expect, type Page } from '@playwright/test';
import type { Engulf } from '../engulf.ts';
import { lobbyRow, openPage } from '../player.ts';
import type { Camera } from './camera.ts';

const WINDOWS = [
  [1920, 1080],
  [1600, 900],
  [1440, 900],
  [1366, 768],
  [1280, 800],
] as const;

export const FULL_HD = { width: 1920, height: 1080 };

/** The menu and its popups, from a visitor's first view to access granted. Returns the page of a player with access. */
export async function menuPictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<Page> {
  const page = await openPage(browser, engulf, FULL_HD);
  await lobbiesAreLive(page);
  await camera.shootSizes(page, 'menu-visitor', WINDOWS);
  await setTheme(page, 'light');
  await camera.shoot(page, 'menu-visitor-light');
  await setTheme(page, 'dark');

  await page.getByRole('button', { name: 'Connect wallet' }).first().click();
  await expect(page.getByRole('button', { name: /Burner/ })).toBeVisible();
  await camera.shoot(page, 'wallet');
  await page.getByRole('button', { name: /Burner/ }).click();
  await expect(page.getByRole('button', { name: 'Enter access code' })).toBeEnabled();
  await expect(page.getByRole('dialog')).toBeHidden();
  await camera.shoot(page, 'menu-without-access');

  await page.getByRole('button', { name: 'Enter access code' }).click();
  const code = page.getByRole('dialog').getByRole('textbox');
  await expect(code).toBeVisible();
  await camera.shoot(page, 'access-code');
  await code.fill('WRONG');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await camera.shoot(page, 'access-code-wrong');
  await code.fill(engulf.accessCode);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('button', { name: 'Pick a lobby' })).toBeVisible();
  await camera.shoot(page, 'access-granted');
  await page.getByRole('button', { name: 'Pick a lobby' }).click();
  await page.mouse.move(0, 0);

  await toastsAreGone(page);
  await camera.shootSizes(page, 'menu', WINDOWS);
  await page.getByRole('tab', { name: /Semi-private/ }).click();
  await camera.shoot(page, 'menu-semi-private');
  await page.getByRole('tab', { name: /Normal/ }).click();
  await setTheme(page, 'light');
  await camera.shoot(page, 'menu-light');
  await setTheme(page, 'dark');
  return page;
}

/** The pages shown instead of the game. */
export async function blockerPictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<void> {
  const page = await openPage(browser, engulf, { width: 1000, height: 760 });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await camera.shoot(page, 'blocked-mobile-1000x760');
  await page.setViewportSize({ width: 390, height: 844 });
  await camera.shoot(page, 'blocked-mobile-390x844');
  await page.setViewportSize(FULL_HD);
  await page.route('**/api/config', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Server is not available' })).toBeVisible();
  await camera.shootSizes(page, 'blocked-server', [WINDOWS[0], WINDOWS[4]]);
  await page.context().close();
}

/** Waits until the rooms have reported over the socket. */
export async function lobbiesAreLive(page: Page): Promise<void> {
  await expect(lobbyRow(page, 'Petri Dish')).toContainText(/\$\d+\.\d\d/, { timeout: 30_000 });
  await expect(lobbyRow(page, 'Gulp Tank').getByRole('button').last()).toBeEnabled({ timeout: 30_000 });
}

export async function toastsAreGone(page: Page): Promise<void> {
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0, { timeout: 15_000 });
}

async function setTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
}
