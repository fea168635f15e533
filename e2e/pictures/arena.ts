import { expect, type Page } from '@playwright/test';
import { enterLobby, lobbyRow, steerUntil, untilSpawned } from '../player.ts';
import { ringWalk } from '../ring-walk.ts';
import { type Camera, slowShutter } from './camera.ts';
import { openEntry, verifyingPicture } from './entry.ts';

/** Grown cells close to each other, and an exit in the middle that is often open. */
export const SHOW_RULES = {
  worldSize: 2600,
  spawn: { mass: 110, invulnerableSeconds: 3 },
  food: { count: 420 },
  viruses: { count: 6 },
  portals: { idleSeconds: 8, warningSeconds: 4, borderDistance: 1300, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
  // They feed, but do not hunt.
  bots: { sight: 1 },
};
const ring = ringWalk(SHOW_RULES.worldSize, 430);

/** A free lobby with its bots, at the moment when a portal opens. */
export async function freeArenaPicture(camera: Camera, page: Page, name: string): Promise<void> {
  await slowShutter(page);
  await enterLobby({ page }, 'Petri Dish');
  await untilPortalOpens(page);
  await page.keyboard.press('F3');
  await camera.shoot(page, name);
}

/** Back to the menu, alive or eaten in the meantime. */
export async function leaveArena(page: Page): Promise<void> {
  await expect(async () => {
    for (const name of ['Return Home', 'Confirm', 'Close']) {
      const button = page.getByRole('button', { name, exact: true });
      if (await button.isVisible()) await button.click({ timeout: 1_000 });
    }
    await expect(lobbyRow(page, 'Petri Dish')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
}

export async function spectatorPictures(camera: Camera, page: Page): Promise<void> {
  await slowShutter(page);
  await page.getByRole('button', { name: 'Spectate: Petri Dish' }).click();
  await expect(page.getByText('Spectator Mode')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Initializing Game...')).toBeHidden({ timeout: 60_000 });
  // The first look is made for the whole of a world that is larger than this one.
  for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, -120);
  await page.waitForTimeout(3_000);
  await camera.shoot(page, 'spectator');
  await page.keyboard.press('f');
  await page.waitForTimeout(3_000);
  await camera.shoot(page, 'spectator-top-player');
  await page.getByRole('button', { name: 'BACK' }).click();
  await expect(lobbyRow(page, 'Petri Dish')).toBeVisible();
}

/** From the payment into the arena, with the conflict that a second tab of the same player gets. Stays there. */
export async function paidArenaPictures(camera: Camera, page: Page): Promise<void> {
  await verifyingPicture(camera, page, 'Shallows');
  await slowShutter(page);
  await untilSpawned(page);
  await page.keyboard.press('F3');
  await camera.shoot(page, 'arena-paid');
  await page.getByRole('button', { name: 'Return Home' }).click();
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await camera.shoot(page, 'forfeit');
  await page.getByRole('button', { name: 'Cancel' }).click();

  const second = await page.context().newPage();
  await second.goto(page.url());
  await openEntry(second, 'The Deep');
  await second.getByRole('dialog').getByRole('button', { name: 'Pay & Play' }).click();
  await expect(second.getByText('Multiple Session Detected')).toBeVisible();
  await camera.shoot(second, 'session-conflict');
  await second.close();
}

/** What the player of a killed server sees. */
export async function disconnectPictures(camera: Camera, page: Page): Promise<void> {
  await expect(page.getByText('Network Disconnected')).toBeVisible({ timeout: 30_000 });
  await camera.shoot(page, 'network-lost');
  await expect(page.getByText('Your refund is processing...')).toBeVisible({ timeout: 30_000 });
  await camera.shoot(page, 'disconnected');
}

/** Walks round the exit; whoever is eaten on the way plays again. */
async function untilPortalOpens(page: Page): Promise<void> {
  const portalLive = page.getByText('PORTAL LIVE!');
  const playAgain = page.getByRole('button', { name: 'Play Again' });
  let wasClosed = false;
  await steerUntil(
    page,
    (self) => ring.ahead(self),
    async () => {
      if (await playAgain.isVisible()) {
        await playAgain.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Play Now' }).click();
        await untilSpawned(page);
      }
      const isLive = await portalLive.isVisible();
      wasClosed ||= !isLive;
      return isLive && wasClosed;
    },
    90_000,
  );
}
