import type { Browser, Page } from '@playwright/test';
import type { Engulf } from '../engulf.ts';
import { expect } from '../expect.ts';
import { enterLobby, hideDebug, openPage, settledHistory, signUp } from '../player.ts';
import { readSelf, ringWalk, steerUntil } from '../steering.ts';
import { type Camera, slowShutter } from './camera.ts';
import { FULL_HD, lobbiesAreLive, toastsAreGone } from './menu.ts';

/** A little more mass is enough to eat a player, and the portal is in the middle. */
export const DUEL_RULES = {
  worldSize: 1800,
  spawn: { invulnerableSeconds: 2 },
  eating: { massRatio: 1.08 },
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 6, warningSeconds: 3, borderDistance: 900, radius: 80, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
};
const ring = ringWalk(DUEL_RULES.worldSize, 600);

/** One player of a paid lobby eats the other, leaves through the portal and shows it around. */
export async function endingPictures(
  camera: Camera,
  browser: Browser,
  engulf: Engulf,
  screen = FULL_HD,
): Promise<void> {
  const [prey, hunter] = [await signUp(browser, engulf, screen), await signUp(browser, engulf, screen)];
  await enterLobby(prey, 'Shallows');
  const preyAt = await readSelf(prey.page);
  await hideDebug(prey.page);
  await slowShutter(prey.page);
  await enterLobby(hunter, 'Shallows');

  const isEaten = () => prey.page.getByText('your dot got annihilated.').isVisible();
  const isBigger = async () => (await readSelf(hunter.page)).mass > 50;
  await steerUntil(hunter.page, (self) => ring.ahead(self), isBigger);
  await steerUntil(hunter.page, (self) => ring.towards(self, preyAt), isEaten);
  await hideDebug(hunter.page);
  await camera.snap(hunter.page, 'arena-kill');
  await camera.shoot(prey.page, 'rekt');
  await prey.page.getByRole('button', { name: 'Watch how you died' }).click();
  // The film begins before the killer is in sight.
  await expect(prey.page.getByText(`Through the eyes of ${hunter.name}`)).toBeVisible();
  await prey.page.waitForTimeout(1_500);
  await camera.snap(prey.page, 'rekt-film');
  await prey.page.context().close();

  await hunter.page.keyboard.press('F3');
  const isOut = () => hunter.page.getByText('You have successfully exited through the portal').isVisible();
  await steerUntil(hunter.page, () => ring.middle, isOut);
  await hideDebug(hunter.page);
  await camera.shoot(hunter.page, 'bag-secured');
  await sharePictures(camera, browser, engulf, hunter.page);

  await hunter.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await lobbiesAreLive(hunter.page);
  await settledHistory(hunter, 1);
  await hunter.page.mouse.move(0, 0);
  await recordPictures(camera, hunter.page);
  await hunter.page.context().close();
}

async function sharePictures(camera: Camera, browser: Browser, engulf: Engulf, page: Page): Promise<void> {
  await page.context().route('https://x.com/**', (route) => route.fulfill({ body: 'X' }));
  const uploaded = page.waitForResponse('**/api/upload');
  await page.getByRole('button', { name: 'Flex Winnings' }).click();
  const { key } = (await (await uploaded).json()) as { key: string };
  const card = page.getByRole('dialog', { name: 'Your card is out' });
  await expect
    .poll(() => card.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth), {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);
  await camera.shoot(page, 'flex-winnings');
  await card.getByRole('button', { name: 'Close' }).click();
  const visitor = await openPage(browser, { ...engulf, url: `${engulf.url}/winningshare/${key}` }, FULL_HD);
  await camera.shoot(visitor, 'share-page', { themes: ['dark'] });
  await visitor.context().close();
}

/** What the menu shows after a game: the ranking, the payout and the statistics. */
async function recordPictures(camera: Camera, page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Games' }).click();
  await expect(page.getByText('Cashout')).toBeVisible();
  await expect(page.getByText('Paid', { exact: true })).toBeVisible();
  await toastsAreGone(page);
  await camera.shoot(page, 'menu-games');
  await page.getByRole('tab', { name: 'Stats' }).click();
  await camera.shoot(page, 'menu-stats');
  await page.getByRole('tab', { name: 'Activity' }).click();
  await camera.shoot(page, 'menu-activity');
}

/** The match is over once the server has been stopped: it can be watched and checked. */
export async function replayPictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<void> {
  const page = await openPage(browser, engulf, FULL_HD);
  await page.getByRole('button', { name: 'Verify' }).first().click();
  await expect(page.getByText('Everything checks out.')).toBeVisible({ timeout: 90_000 });
  await camera.shoot(page, 'verify');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Watch' }).first().click();
  await expect(page.getByRole('slider', { name: 'Time' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Follow / }).first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await camera.shoot(page, 'replay', { settleMs: 1_200 });
  await page.context().close();
}
