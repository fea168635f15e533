import { expect, type Page } from '@playwright/test';
import { enterLobby, lobbyRow, waitForSpawn } from '../player.ts';
import { readSelf, ringWalk, steerUntil } from '../steering.ts';
import { type Camera, slowShutter } from './camera.ts';
import { openEntry, verifyingPicture } from './entry.ts';

/** Large cells close to each other, and a portal in the middle that is often open. */
export const SHOW_RULES = {
  worldSize: 2600,
  spawn: { mass: 110, invulnerableSeconds: 3 },
  food: { count: 420 },
  viruses: { count: 6 },
  portals: { idleSeconds: 8, warningSeconds: 4, borderDistance: 1300, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
  eating: { massRatio: 1.8 },
  // Bots feed but do not hunt.
  bots: { sight: 1 },
};
const RING_RADIUS = 430;
const ring = ringWalk(SHOW_RULES.worldSize, RING_RADIUS);

/** A free lobby with its bots while a portal is open. */
export async function freeArenaPicture(camera: Camera, page: Page): Promise<void> {
  // Each bot adds a dollar to the pool: wait until there are twelve.
  await expect(lobbyRow(page, 'Petri Dish')).toContainText(/\$(1[2-9]|[2-9]\d)\./, { timeout: 60_000 });
  await slowShutter(page);
  await enterLobby({ page }, 'Petri Dish');
  for (let attempt = 1; attempt <= 4; attempt++) {
    await playUntilPortal(page);
    await page.keyboard.press('F3');
    await camera.shoot(page, 'arena-free', 0);
    if (await page.getByRole('button', { name: 'Return Home' }).isVisible()) return;
  }
  throw new Error('The player was eaten before every picture');
}

/** Returns to the menu, whether the player is alive or was eaten in the meantime. */
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
  // Zoom in: the first view is made for a larger world.
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -120);
  await page.waitForTimeout(3_000);
  await camera.shoot(page, 'spectator');
  await page.keyboard.press('f');
  await page.waitForTimeout(3_000);
  await camera.shoot(page, 'spectator-top-player');
  await page.getByRole('button', { name: 'BACK' }).click();
  await expect(lobbyRow(page, 'Petri Dish')).toBeVisible();
}

/** The payment, the arena, and the conflict that a second tab of the same player gets. Stays in the arena. */
export async function paidArenaPictures(camera: Camera, page: Page): Promise<void> {
  await verifyingPicture(camera, page, 'Shallows');
  await slowShutter(page);
  await waitForSpawn(page);
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

/** What a player sees when the server is killed. */
export async function disconnectPictures(camera: Camera, page: Page): Promise<void> {
  await expect(page.getByText('Network Disconnected')).toBeVisible({ timeout: 30_000 });
  await camera.shoot(page, 'network-lost');
  await expect(page.getByText('Your refund is processing...')).toBeVisible({ timeout: 30_000 });
  await camera.shoot(page, 'disconnected');
}

/** Walks round the portal until it is open and in sight; plays again when eaten. */
async function playUntilPortal(page: Page): Promise<void> {
  const portalLive = page.getByText('PORTAL LIVE!');
  const playAgain = page.getByRole('button', { name: 'Play Again' });
  await steerUntil(
    page,
    (self) => ring.ahead(self),
    async () => {
      if (await playAgain.isVisible()) {
        await playAgain.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Play Now' }).click();
        await waitForSpawn(page);
      }
      const { x, y, mass } = await readSelf(page);
      const isInSight = Math.hypot(x - ring.middle.x, y - ring.middle.y) < RING_RADIUS * 1.15;
      const hasGrown = mass > SHOW_RULES.spawn.mass * 1.3;
      return isInSight && hasGrown && (await portalLive.isVisible());
    },
    90_000,
  );
}
