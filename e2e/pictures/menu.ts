import type { Browser, Page } from '@playwright/test';
import type { Engulf } from '../engulf.ts';
import { expect } from '../expect.ts';
import { lobbyRow, openPage } from '../player.ts';
import type { Camera } from './camera.ts';
import { drawPicture } from './draw-picture.ts';

export const FULL_HD = { width: 1920, height: 1080 };

/** The menu and its popups, from a visitor's first view to access granted. Returns the page of a player with access. */
export async function menuPictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<Page> {
  const page = await openPage(browser, engulf, FULL_HD);
  const dialog = page.getByRole('dialog');
  await lobbiesAreLive(page);
  await camera.shoot(page, 'menu-visitor');
  for (const tab of ['Games', 'Stats']) await page.getByRole('tab', { name: tab }).click();
  await camera.shoot(page, 'menu-visitor-stats');

  await page.getByRole('button', { name: 'Connect wallet' }).first().click();
  await expect(page.getByRole('button', { name: /Burner/ })).toBeVisible();
  await camera.shoot(page, 'wallet');
  await page.getByRole('button', { name: /Burner/ }).click();
  await expect(page.getByRole('button', { name: 'Enter access code' })).toBeEnabled();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('0 of 4 done')).toBeVisible();
  await toastsAreGone(page);
  await camera.shoot(page, 'menu-without-access');

  await page.getByRole('button', { name: 'Enter access code' }).click();
  const code = dialog.getByRole('textbox');
  await expect(code).toBeVisible();
  await camera.shoot(page, 'access-code');
  await code.fill('WRONG');
  await page.getByRole('button', { name: 'Unlock' }).first().click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await camera.shoot(page, 'access-code-wrong');
  await code.fill(engulf.accessCode);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('button', { name: 'Pick a lobby' })).toBeVisible();
  await camera.shoot(page, 'access-granted');
  await page.getByRole('button', { name: 'Pick a lobby' }).click();
  await page.mouse.move(0, 0);

  await chatALittle(page);
  await toastsAreGone(page);
  await camera.shoot(page, 'menu');
  await page.getByRole('tab', { name: /Semi-private/ }).click();
  await camera.shoot(page, 'menu-semi-private');
  await page.getByRole('tab', { name: /Normal/ }).click();
  return page;
}

/** What opens over the menu. */
export async function menuPopupPictures(camera: Camera, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'How to Play' }).click();
  await expect(dialog.getByRole('heading', { name: 'How to Play' })).toBeVisible();
  await camera.shoot(page, 'guide');
  await page.getByRole('button', { name: 'Got it' }).click();

  await page.getByRole('button', { name: 'Join lobby' }).click();
  await camera.shoot(page, 'lobby-list');
  await dialog.getByRole('radio', { name: 'Private Lobby' }).click();
  await camera.shoot(page, 'lobby-list-private');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Limits' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Daily limit in SOL' })).toBeVisible();
  await camera.shoot(page, 'limits');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Edit username' }).click();
  await page.getByRole('textbox', { name: 'Username' }).fill('a');
  await page.getByRole('textbox', { name: 'Username' }).press('Enter');
  await expect(page.locator('[data-sonner-toast]')).toBeVisible();
  await camera.shoot(page, 'rename-refused');
  await page.keyboard.press('Escape');

  const buffer = await drawPicture(page, 400);
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await expect(page.getByRole('slider', { name: 'Zoom' })).toBeVisible();
  await camera.shoot(page, 'avatar-crop');
  await page.getByRole('button', { name: 'Use photo' }).click();
  await expect(page.getByText('Profile photo Updated')).toBeVisible();
  await camera.shoot(page, 'menu-own-photo');
}

async function chatALittle(page: Page): Promise<void> {
  const field = page.getByLabel('Message to everyone');
  for (const line of ['portal opened right on top of me', 'anyone in Shallows?', '22:00 UTC, bring snacks']) {
    await field.fill(line);
    await field.press('Enter');
    await expect(page.getByRole('log', { name: 'Messages' }).getByText(line)).toBeVisible();
  }
}

/** Waits until the rooms have reported over the socket. */
export async function lobbiesAreLive(page: Page): Promise<void> {
  await expect(lobbyRow(page, 'Petri Dish')).toContainText(/\$\d+\.\d\d/, { timeout: 30_000 });
  await expect(lobbyRow(page, 'Gulp Tank').getByRole('button').last()).toBeEnabled();
}

export async function toastsAreGone(page: Page): Promise<void> {
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0, { timeout: 15_000 });
}
