import type { Browser, Page } from '@playwright/test';
import type { Engulf } from '../engulf.ts';
import { expect } from '../expect.ts';
import { openPage } from '../player.ts';
import type { Camera } from './camera.ts';
import { FULL_HD, lobbiesAreLive } from './menu.ts';

/** Nothing is closed. */
export const OPEN_GATES = {
  blockedCountryCodes: [] as string[],
  isBetaEnable: true,
  isUpgrading: false,
  isMaintenanceAnnounced: false,
  isSessionOverlayOn: false,
};

const CLOSED = [
  ['region', { blockedCountryCodes: ['DE'] }, 'Not available in your region yet'],
  ['beta-closed', { isBetaEnable: false }, 'Beta is closed. Devs are cooking'],
  ['upgrade', { isUpgrading: true }, 'Game is getting an upgrade'],
] as const;

/** The pages shown instead of the game, and the banner above it. */
export async function gatePictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<void> {
  const page = await openPage(browser, engulf, { width: 390, height: 844 });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await camera.snap(page, 'gate-mobile-390x844');
  await page.setViewportSize({ width: 1000, height: 700 });
  await camera.snap(page, 'gate-mobile-1000x700');
  await page.setViewportSize(FULL_HD);
  await page.route('**/api/geo', (route) => route.fulfill({ json: { country_code: 'DE' } }));
  for (const [name, change, title] of CLOSED) {
    await setGates(page, change);
    await page.reload();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await camera.shoot(page, `gate-${name}`);
  }
  await setGates(page, { isMaintenanceAnnounced: true });
  await page.reload();
  await lobbiesAreLive(page);
  await camera.shoot(page, 'menu-maintenance');
  await page.route('**/api/chat/history/**', (route) => route.abort());
  await page.reload();
  await lobbiesAreLive(page);
  await camera.shoot(page, 'menu-chat-failed');
  await page.route('**/api/config', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Server is not available' })).toBeVisible();
  await camera.shoot(page, 'gate-server');
  await page.context().close();
}

export async function setGates(page: Page, change: Partial<typeof OPEN_GATES> | object): Promise<void> {
  await page.route('**/api/auth/countries-list', (route) =>
    route.fulfill({ json: { ...OPEN_GATES, ...change } }),
  );
}

/** What anybody can read without a wallet. */
export async function publicPages(camera: Camera, browser: Browser, engulf: Engulf): Promise<void> {
  const page = await openPage(browser, { ...engulf, url: `${engulf.url}/solvency` }, FULL_HD);
  await expect(page.getByText('Covered', { exact: true }).first()).toBeVisible();
  await camera.shoot(page, 'solvency');
  await page.goto(`${engulf.url}/docs`);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await camera.shoot(page, 'docs', { themes: ['dark'] });
  await page.goto(`${engulf.url}/winningshare/nothing`);
  await camera.shoot(page, 'share-unknown', { themes: ['dark'] });
  await page.context().close();
}
