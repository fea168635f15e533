import type { Browser, Locator, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, operate, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { findCovered, findUnreadable } from '../legibility.ts';
import {
  closeGuide,
  enterLobby,
  getJson,
  lobbyRow,
  openPage,
  settledHistory,
  signUp,
  waitForSpawn,
} from '../player.ts';
import { readSelf, ringWalk, steer, steerUntil } from '../steering.ts';

/** A small arena without bots worth mentioning, and a portal in the middle that is often open. */
const RULES = {
  worldSize: 1800,
  spawn: { invulnerableSeconds: 1 },
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 6, warningSeconds: 3, borderDistance: 900, radius: 80, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
  bots: { sight: 1, joinEverySeconds: 1_000 },
};
const ring = ringWalk(RULES.worldSize, 600);

const COMMON_SIZES = [
  [1100, 720],
  [1280, 720],
  [1440, 960],
  [1600, 1000],
  [1728, 990],
  [1760, 1000],
  [1920, 1080],
] as const;

describe('a player in a browser', () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: RULES, limitScale: 100 })]);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const following = (page: Page) => page.getByText(/^Following /);
  const forfeit = async (page: Page) => {
    await page.getByRole('button', { name: 'Return Home' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
  };

  test('reads every name and number of the menu at any common size of a window, also in the largest interface', async () => {
    const { page } = await signUp(browser, engulf);
    const isLegible = async () => {
      for (const [width, height] of COMMON_SIZES) {
        await page.setViewportSize({ width, height });
        await expectPage
          .poll(() => page.evaluate(findUnreadable), { message: `at ${width} × ${height}` })
          .toEqual([]);
      }
    };
    await isLegible();
    const heading = page.getByRole('heading', { name: 'Petri Dish' });
    const { height: before } = (await heading.boundingBox())!;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('slider', { name: 'Interface size' }).press('End');
    await page.keyboard.press('Escape');
    await expectPage.poll(async () => (await heading.boundingBox())!.height).toBeGreaterThan(before * 1.05);
    await isLegible();
  });

  test('sees at once what an operator changes, in the menu and in an open popup', async () => {
    const { page } = await signUp(browser, engulf);
    await operate(engulf, 'lobby', 'create', 'Rock Pool', '--type', 'normal', '--price', '0.02');
    const row = lobbyRow(page, 'Rock Pool');
    await expectPage(row).toContainText('0.02');
    await row.getByRole('button', { name: 'Pay & Play' }).click();
    const popup = page.getByRole('dialog');
    const pay = popup.getByRole('button', { name: 'Pay & Play' });
    await closeGuide(page, pay);
    await expectPage(popup).toContainText('Nobody is inside.');
    await operate(engulf, 'lobby', 'price', 'Rock Pool', '0.03');
    await expectPage(popup.getByRole('status')).toContainText('The price has just changed.');
    await expectPage(popup).toContainText('0.03');
    await operate(engulf, 'lobby', 'lock', 'Rock Pool');
    await expectPage(pay).toBeDisabled();
    await operate(engulf, 'lobby', 'unlock', 'Rock Pool');
    await expectPage(pay).toBeEnabled();
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await operate(engulf, 'lobby', 'create', 'Puddle', '--type', 'normal', '--price', '0.02', '--locked');
    await expectPage(lobbyRow(page, 'Puddle')).toBeVisible();
    await operate(engulf, 'lobby', 'remove', 'Puddle', '--yes');
    await expectPage(lobbyRow(page, 'Puddle')).toHaveCount(0);
  });

  test('sees nothing move when the lobbies and the chat have loaded', async () => {
    const page = await openPage(browser, engulf);
    const places = () =>
      Promise.all(
        ['Connect wallet', 'Connect wallet to chat'].map((name) =>
          page.getByRole('button', { name, exact: true }).first().boundingBox(),
        ),
      );
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    await expectPage(page.getByText('Nobody has said anything yet.')).toBeVisible();
    const loaded = await places();
    await page.route('**/api/chat/history/**', () => {});
    await page.routeWebSocket(/socket\.io/, () => {});
    await page.reload();
    await expectPage.poll(places).toEqual(loaded);
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeHidden();
  });

  test('also reads the whole profile before entering the access code', async () => {
    const page = await openPage(browser, engulf);
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('button', { name: /Burner/ }).click();
    await expectPage(page.getByRole('button', { name: 'Enter access code' })).toBeEnabled();
    await expectPage(page.getByRole('dialog')).toBeHidden();
    // Every wallet has another width; this one is wider than most.
    await page.locator('main dl dd', { has: page.locator('[title^=Copy]') }).evaluate((wallet) => {
      wallet.firstChild!.textContent = 'GQMD…8wHN';
    });
    for (const [width, height] of [...COMMON_SIZES, [1240, 720]] as const) {
      await page.setViewportSize({ width, height });
      await expectPage
        .poll(() => page.evaluate(findCovered), { message: `at ${width} × ${height}` })
        .toEqual([]);
    }
  });

  test('gets a new name, enters a semi-private lobby with its code only, and one that costs a token', async () => {
    const player = await signUp(browser, engulf);
    const { page } = player;
    const name = `Rename${Math.floor(Math.random() * 1_000)}`;
    await page.getByRole('button', { name: 'Edit username' }).click();
    await page.getByRole('textbox', { name: 'Username' }).fill(name);
    await page.getByRole('textbox', { name: 'Username' }).press('Enter');
    await expectPage(page.getByText('Username Updated')).toBeVisible();
    await expectPage(page.getByRole('heading', { name })).toBeVisible();
    const { user } = await getJson<{ user: { name: string } }>(page, '/api/auth/profile');
    expect(user.name).toBe(name);

    await page.getByRole('tab', { name: /Semi-private/ }).click();
    await lobbyRow(page, 'Inner Circle').getByRole('button', { name: 'Enter code' }).click();
    const dialog = page.getByRole('dialog');
    const code = dialog.getByRole('textbox', { name: 'Lobby code' });
    await closeGuide(page, code);
    const pay = dialog.getByRole('button', { name: 'Pay & Play' });
    await expectPage(pay).toBeDisabled();
    await code.fill('YEAST');
    await pay.click();
    await expectPage(dialog.getByText('The lobby code you entered is incorrect.')).toBeVisible();
    await code.fill('AMOEBA');
    await code.press('Enter');
    await waitForSpawn(page);
    // Not into the portal.
    await steer(page, 0, 0);
    await forfeit(page);
    const [refund] = await settledHistory(player, 1);
    expect(refund).toMatchObject({ amount: '95000000', isRefund: true });

    await page.getByRole('tab', { name: /Normal/ }).click();
    await enterLobby(player, 'Gulp Tank');
    await steer(page, 0, 0);
    await expectPage(page.getByText('23.750').first()).toBeVisible();
    await expectPage(page.getByText('GULP').first()).toBeVisible();
    await forfeit(page);
    const history = await settledHistory(player, 2);
    expect(history.map(({ amount }) => amount)).toContain('23750000');
  });

  test('is eaten, plays again with one key, and watches others with the keys', async () => {
    const [prey, hunter] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await enterLobby(prey, 'Primordial');
    await enterLobby(hunter, 'Primordial');
    await steer(prey.page, 0, 0);
    await hunter.page.keyboard.press('F4');
    const isEaten = () => prey.page.getByText('your dot got annihilated.').isVisible();
    const preyAt = await readSelf(prey.page);
    await steerUntil(hunter.page, (self) => ring.towards(self, preyAt), isEaten);
    await steer(hunter.page, 0, 0);
    await fitsEveryWindow(prey.page, prey.page.getByRole('button', { name: 'Play Again' }));
    await expectPage(prey.page.getByText(/by \S+, [\d.]+ times your mass\./)).toBeVisible();
    // The arena, and over it the film of the end.
    await expectPage(prey.page.locator('main canvas')).toHaveCount(2);
    // The key could still be meant for the arena at first.
    const endedMs = await prey.page.evaluate(() => performance.now());
    await prey.page.waitForFunction((sinceMs) => performance.now() - sinceMs > 400, endedMs);
    const connections: string[] = [];
    prey.page.on('websocket', (socket) => connections.push(socket.url()));
    await prey.page.keyboard.press('Enter');
    await waitForSpawn(prey.page);
    expect((await readSelf(prey.page)).mass).toBeLessThan(200);
    expect(connections).toEqual([]);
    await forfeit(prey.page);
    await expectPage(prey.page.getByText('Play money').first()).toBeVisible();
    await prey.page.getByRole('tab', { name: 'Stats' }).click();
    await prey.page.getByRole('tab', { name: 'Free records' }).click();
    const best = (label: string) => prey.page.locator('dl > div').filter({ hasText: label });
    await expectPage(best('Best mass')).toContainText(/\d/);
    await expectPage(best('Lives')).toContainText(/[12]/);

    const watcher = await signUp(browser, engulf);
    const { page } = watcher;
    await page.getByRole('button', { name: 'Spectate: Primordial' }).click();
    await expectPage(page.getByText('Spectator Mode')).toBeVisible();
    await expectPage(page.getByText('Initializing Game...')).toBeHidden();
    await page
      .getByRole('button', { name: /^Follow / })
      .first()
      .click();
    await expectPage(following(page)).toBeVisible();
    await page.keyboard.press('r');
    await expectPage(following(page)).toBeHidden();
    await page.keyboard.press('f');
    await expectPage(following(page)).toBeVisible();
    await page.keyboard.press('r');
    await expectPage(following(page)).toBeHidden();
    await page.keyboard.press('Tab');
    await expectPage(following(page)).toBeVisible();
    await page.keyboard.down('KeyD');
    await expectPage(following(page)).toBeHidden();
    await page.keyboard.up('KeyD');
    await page.keyboard.press('Escape');
    await expectPage(page.getByRole('button', { name: 'Keep watching' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await waitForSpawn(page);
  });

  test('is warned in a hidden tab, and finds its settings again after a reload', async () => {
    const player = await signUp(browser, engulf);
    const { page } = player;
    await enterLobby(player, 'Petri Dish');
    await showTab(page, false);
    await expectPage(page.getByText('Still there?')).toBeVisible();
    await expectPage(page).toHaveTitle(/^\(\d+\) Come back! - Engulf$/);
    await showTab(page, true);
    await expectPage(page.getByText('Still there?')).toBeHidden();
    await expectPage(page).toHaveTitle('Engulf');

    await page.keyboard.press('o');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('switch', { name: /Show mass/ }).click();
    await dialog.getByRole('slider', { name: 'Volume' }).press('End');
    await dialog.getByRole('button', { name: /^W Eject mass/ }).click();
    await page.keyboard.press('q');
    await expectPage(dialog.getByRole('button', { name: /^Q Eject mass/ })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    // A body waits for two seconds here, and a page may take longer to load.
    await forfeit(page);
    await page.reload();
    await enterLobby(player, 'Petri Dish');
    await page.keyboard.press('o');
    await expectPage(dialog.getByRole('switch', { name: /Show mass/ })).not.toBeChecked();
    await expectPage(dialog.getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuenow', '1');
    await expectPage(dialog.getByRole('button', { name: /^Q Eject mass/ })).toBeVisible();
  });

  test('is told when leaving with less than the entry fee', async () => {
    const player = await signUp(browser, engulf);
    const { page } = player;
    await enterLobby(player, 'Shallows');
    const secured = page.getByText('You have successfully exited through the portal');
    await steerUntil(
      page,
      () => ring.middle,
      () => secured.isVisible(),
    );
    await expectPage(page.getByText('x0.95')).toBeVisible();
    await expectPage(page.getByText(/^[-−]0\.00[23]\d* SOL after the fee$/)).toBeVisible();

    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Games' }).click();
    await page.setViewportSize({ width: 1280, height: 720 });
    const table = page.getByRole('table');
    await expectPage(table.getByText('Cashout')).toBeVisible();
    const [wide, room] = await table.evaluate(({ clientWidth, parentElement }) => [
      clientWidth,
      parentElement!.clientWidth,
    ]);
    expect(wide).toBeLessThanOrEqual(room!);
  });

  test('gets from the first page into the arena and out again by keyboard alone', async () => {
    const page = await openPage(browser, engulf);
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    const press = async (name: RegExp) => {
      const focused = () =>
        page.evaluate(
          () =>
            document.activeElement?.closest('button, input, [role]')?.ariaLabel ||
            document.activeElement?.textContent ||
            '',
        );
      for (let tabs = 0; tabs < 80 && !name.test(await focused()); tabs++) await page.keyboard.press('Tab');
      expect(await focused()).toMatch(name);
      await page.keyboard.press('Enter');
    };
    await press(/^Connect wallet$/);
    await press(/Burner/);
    await expectPage(page.getByRole('button', { name: 'Enter access code' })).toBeEnabled();
    await press(/^Enter access code$/);
    await expectPage(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
    await page.keyboard.type(engulf.accessCode);
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('button', { name: 'Pick a lobby' })).toBeVisible();
    await press(/^Pick a lobby$/);
    await press(/^Join lobby$/);
    await press(/^Play$/);
    await press(/^Got it$/);
    await expectPage(page.getByRole('button', { name: 'Play Now' })).toBeVisible();
    await press(/^Play Now$/);
    await waitForSpawn(page);
    await page.keyboard.press('Escape');
    await expectPage(page.getByRole('button', { name: 'Back to the game' })).toBeVisible();
    await press(/^Return Home$/);
    await expectPage(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
    await press(/^Confirm$/);
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
  });
});

/** Nobody has to scroll for it, not even in a low window. */
async function fitsEveryWindow(page: Page, button: Locator): Promise<void> {
  const before = page.viewportSize()!;
  for (const [width, height] of [
    [1100, 620],
    [1280, 720],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectPage(button).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize(before);
}

/** Tells the page that its tab has been hidden or shown: a headless browser shows every tab. */
async function showTab(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate((visible) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (visible ? 'visible' : 'hidden'),
    });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !visible });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isVisible);
}
