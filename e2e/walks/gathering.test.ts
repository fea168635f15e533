import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { findCovered } from '../legibility.ts';
import {
  closeGuide,
  enterLobby,
  lobbyRow,
  type Player,
  settledHistory,
  signUp,
  waitForSpawn,
} from '../player.ts';
import { readSelf, ringWalk, steer, steerUntil } from '../steering.ts';

/** As large as the arena is for two, with a portal in the middle that is often open. */
const RULES = {
  worldSize: 2400,
  food: { count: 700, respawnPerSecond: 100 },
  spawn: { invulnerableSeconds: 1 },
  viruses: { count: 0 },
  eating: { massRatio: 1_000 },
  portals: { idleSeconds: 6, warningSeconds: 3, borderDistance: 1200, radius: 80, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
  bots: { sight: 1, joinEverySeconds: 1_000 },
};
const ring = ringWalk(RULES.worldSize, 600);
const LOBBY = 'Shallows';
const MEET_WITHIN_MS = 20_000;
/** Half of what a small cell sees of the arena, from left to right. */
const IN_VIEW = 480;

describe('players who gather', () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: RULES, limitScale: 100 })]);
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const popupOf = ({ page }: Player) => page.getByRole('dialog');
  const cardOf = ({ page }: Player) => page.getByRole('region', { name: 'Gathering players' });
  const gather = async (player: Player) => {
    await lobbyRow(player.page, LOBBY).getByRole('button', { name: 'Pay & Play' }).click();
    const offer = popupOf(player).getByRole('button', { name: 'Gather players' });
    await closeGuide(player.page, offer);
    await offer.click();
    await expectPage(popupOf(player)).toBeHidden();
  };

  test('wait without paying, are called together, pay, meet soon, and one cashes out', async () => {
    const [first, second] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await gather(first);
    await expectPage(cardOf(first)).toContainText(`Waiting for one more player in ${LOBBY}`);
    await expectPage(cardOf(first)).toContainText(first.name);
    expect(await first.page.evaluate(findCovered)).toEqual([]);
    // Whoever waits may play for free meanwhile.
    await enterLobby(first, 'Petri Dish');
    await expectPage(lobbyRow(second.page, LOBBY)).toContainText('1 waiting');
    await gather(second);
    await expectPage(first.page).toHaveTitle(/^Your players are here/);
    await cardOf(first).getByRole('button', { name: 'Leave and pay' }).click();
    for (const player of [second, first]) {
      await expectPage(popupOf(player)).toContainText('Your seat is held for');
      await popupOf(player).getByRole('button', { name: 'Pay & Play' }).click();
    }
    await Promise.all([first, second].map(({ page }) => waitForSpawn(page)));
    const startedMs = Date.now();
    for (;;) {
      const [one, two] = [await readSelf(first.page), await readSelf(second.page)];
      if (Math.hypot(one.x - two.x, one.y - two.y) < IN_VIEW) break;
      await steer(first.page, two.x - one.x, two.y - one.y);
      await steer(second.page, one.x - two.x, one.y - two.y);
      expect(Date.now() - startedMs).toBeLessThan(MEET_WITHIN_MS);
    }
    const secured = first.page.getByText('You have successfully exited through the portal');
    await steerUntil(
      first.page,
      () => ring.middle,
      () => secured.isVisible(),
    );
    const [payout] = await settledHistory(first, 1);
    expect(payout).toMatchObject({ isRefund: false });
    for (const { page } of [first, second]) await page.context().close();
  });

  test('a newcomer is led from the first move to a cash-out in play money, once', async () => {
    const newcomer = await signUp(browser, engulf);
    const { page } = newcomer;
    await enterLobby(newcomer, 'Petri Dish');
    const skip = page.getByRole('button', { name: 'Skip' });
    await expectPage(page.getByText('Point where you want to go: your cell follows.')).toBeVisible();
    await expectPage(skip).toBeVisible();
    const lesson = page.getByText(/^(Eat five crumbs|Portals open in|The portals are open)/);
    const follow = (isDone: () => Promise<boolean>) => steerUntil(page, ring.ahead, isDone);
    await follow(() => lesson.isVisible());
    // It is taught when the first one is announced, whatever else is left.
    await follow(() => page.getByText(/follow the arrow and reach one with your largest cell/).isVisible());
    const secured = page.getByText('You have successfully exited through the portal');
    await steerUntil(
      page,
      () => ring.middle,
      () => secured.isVisible(),
    );
    await expectPage(page.getByText(/With a real stake of 0.05 SOL this exit would have paid/)).toBeVisible();
    await page.getByRole('button', { name: 'Play Again' }).click();
    await waitForSpawn(page);
    await expectPage(skip).toBeHidden();
  });
});
