import type { Page } from '@playwright/test';
import { expect } from '../expect.ts';
import { closeGuide, lobbyRow } from '../player.ts';
import type { Camera } from './camera.ts';
import { toastsAreGone } from './menu.ts';

/** The entry popup in each state before payment. */
export async function entryPictures(camera: Camera, page: Page): Promise<void> {
  for (const [lobby, name] of [
    ['Petri Dish', 'entry-free'],
    ['Shallows', 'entry-sol'],
    ['Gulp Tank', 'entry-token'],
  ] as const) {
    await openEntry(page, lobby);
    await camera.shoot(page, name);
    await closeEntry(page);
  }

  await page.getByRole('tab', { name: /Semi-private/ }).click();
  await openEntry(page, 'Inner Circle');
  await page.getByRole('dialog').getByRole('textbox').fill('YEAST');
  await camera.shoot(page, 'entry-semi-private');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Pay & Play/ })
    .click();
  await expect(page.getByRole('dialog').getByText('The lobby code you entered is incorrect.')).toBeVisible();
  await camera.shoot(page, 'entry-semi-private-wrong');
  await closeEntry(page);
  await page.getByRole('tab', { name: /Normal/ }).click();
  await toastsAreGone(page);
}

/** Night Shift opens at 18:00 UTC; for this page it is noon. */
export async function closedLobbyPicture(camera: Camera, signedIn: Page): Promise<void> {
  const page = await signedIn.context().newPage();
  await setTimeOfPage(page, new Date().setUTCHours(12, 0, 0, 0));
  await page.goto(signedIn.url());
  await lobbyRow(page, 'Night Shift').getByRole('heading').click();
  await page.getByRole('button', { name: 'Join lobby' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click();
  await expect(page.getByRole('dialog').getByText('LOBBY CLOSED')).toBeVisible();
  await camera.shoot(page, 'entry-closed');
  await closeEntry(page);
  // The page remembers the selected lobby: select the default again.
  await lobbyRow(page, 'Petri Dish').getByRole('heading').click();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
}

/** The page goes by the server's clock, which every answer of the API tells: its own alone would be corrected. */
async function setTimeOfPage(page: Page, timeMs: number): Promise<void> {
  await page.clock.setFixedTime(timeMs);
  const date = new Date(timeMs).toUTCString();
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), date } });
  });
}

/** The wallet has paid and the server finds that the payment is not good. */
export async function failedPaymentPicture(camera: Camera, page: Page): Promise<void> {
  const join = '**/api/serverBrowser/join-lobby';
  const id = '00000000-0000-4000-8000-000000000000';
  const seat = { sessionId: id, lobbyId: id, entryFee: '50000000', message: '' };
  await page.route(join, (route) =>
    route.fulfill({
      json: { ...seat, status: 'payment_processing', shouldPoll: true, paymentSessionId: id },
    }),
  );
  await page.route('**/api/payment/payment-status*', (route) =>
    route.fulfill({
      json: {
        status: 'payment_failed',
        errorDetails: { error: 'PAYMENT_FAILED', message: 'Platform fee transfer is missing' },
      },
    }),
  );
  await openEntry(page, 'Shallows');
  await page.getByRole('dialog').getByRole('button', { name: 'Pay & Play' }).click();
  await expect(page.getByText('Payment Failed')).toBeVisible();
  await camera.shoot(page, 'entry-failed');
  await page.unroute(join);
  await page.unroute('**/api/payment/payment-status*');
  await toastsAreGone(page);
}

/** Pays for a lobby and delays the payment status until the picture is taken. */
export async function verifyingPicture(camera: Camera, page: Page, lobby: string): Promise<void> {
  let answer = () => {};
  const isTaken = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/payment/payment-status*', async (route) => {
    await isTaken;
    await route.continue();
  });
  await openEntry(page, lobby);
  await page.getByRole('dialog').getByRole('button', { name: 'Pay & Play' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Verifying payment...' })).toBeVisible({
    timeout: 60_000,
  });
  await camera.shoot(page, 'entry-verifying');
  answer();
}

export async function openEntry(page: Page, lobby: string): Promise<void> {
  await lobbyRow(page, lobby)
    .getByRole('button', { name: /^(Play|Pay & Play|Enter code): / })
    .click();
  await closeGuide(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
  await expect(page.getByRole('dialog')).toBeVisible();
}

async function closeEntry(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}
