import { expect, type Page } from '@playwright/test';
import { enterLobby, lobbyRow, readSelf, steerUntil, untilSpawned } from '../player.ts';
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
  eating: { massRatio: 1.8 },
  // They feed, but do not hunt.
  bots: { sight: 1 },
};
const RING_RADIUS = 430;
const ring = ringWalk(SHOW_RULES.worldSize, RING_RADIUS);

/** A free lobby with its bots, at the moment when a portal opens. */
export async function freeArenaPicture(camera: Camera, page: Page): Promise<void> {
  // Each bot that came brought a dollar.
  await expect(lobbyRow(page, 'Petri Dish')).toContainText(/\$(1[2-9]|[2-9]\d)\./, { timeout: 60_000 });
  await slowShutter(page);
  await enterLobby({ page }, 'Petri Dish');
  for (let attempt = 1; attempt <= 4; attempt++) {
    await playUntilPortal(page);
    await page.keyboard.press('F3');
    await camera.shoot(page, 'arena-free', 0);
    if (await page.getByRole('button', { name: 'Return Home' }).isVisible()) return;
  }
  throw new Error('Whoever was to be shown alive was eaten each time');
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
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -120);
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

/** Walks round the exit until it is open and in sight; whoever is eaten on the way plays again. */
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
        await untilSpawned(page);
      }
      const { x, y, mass } = await readSelf(page);
      const isInSight = Math.hypot(x - ring.middle.x, y - ring.middle.y) < RING_RADIUS * 1.15;
      const hasGrown = mass > SHOW_RULES.spawn.mass * 1.3;
      return isInSight && hasGrown && (await portalLive.isVisible());
    },
    90_000,
  );
}
