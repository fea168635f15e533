import { type Browser, expect as expectSoon, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type Engulf, forget, operate, startEngulf } from './engulf.ts';
import { drawPicture } from './pictures/draw-picture.ts';
import { enterLobby, getJson, type Player, signUp } from './player.ts';
import { openSilentLine } from './silent-line.ts';
import { readSelf } from './steering.ts';

/** Nothing happens to a player while people talk. */
const CALM_RULES = {
  worldSize: 1800,
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 100_000 },
  eating: { massRatio: 1_000 },
  departure: { graceSeconds: 3 },
  bots: { sight: 1, joinEverySeconds: 1_000 },
};

/** Three arenas at once on software rendering are slow. */
const expectPage = expectSoon.configure({ timeout: 30_000 });

describe('the chat of an arena in browsers', { timeout: 300_000 }, () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([
      launchChromium(),
      startEngulf({ rules: CALM_RULES, limitScale: 100 }),
    ]);
  }, 300_000);
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  }, 60_000);

  const chat = (page: Page) => page.getByRole('region', { name: 'Chat', exact: true });
  const field = (page: Page) => page.getByLabel('Message to the lobby');
  const log = (page: Page) => page.getByRole('log', { name: 'Chat messages' });
  const say = async (page: Page, text: string) => {
    await field(page).fill(text);
    await field(page).press('Enter');
  };
  const makeAdmin = async ({ name, page }: Player) => {
    await operate(engulf, 'user', 'role', name, 'admin', '--yes');
    await page.reload();
  };

  test('players talk, whisper, and one is thrown out', async () => {
    const players = [
      await signUp(browser, engulf),
      await signUp(browser, engulf),
      await signUp(browser, engulf),
    ];
    const [ann, bob, admin] = players as [Player, Player, Player];
    await makeAdmin(admin);
    for (const player of players) await enterLobby(player, 'Petri Dish');

    await say(ann.page, 'what the fuck is <b>that</b>');
    for (const { page } of players) {
      await expectPage(log(page).getByText('what the **** is <b>that</b>')).toBeVisible();
    }
    // After sending, the keyboard belongs to the cell again.
    expect(await field(ann.page).evaluate((element) => element === document.activeElement)).toBe(false);

    await say(ann.page, `@${bob.name} behind you`);
    for (const { page } of [ann, bob]) await expectPage(log(page).getByText('behind you')).toBeVisible();
    await say(bob.page, 'thanks');
    await expectPage(log(admin.page).getByText('thanks')).toBeVisible();
    expect(await log(admin.page).getByText('behind you').count()).toBe(0);

    await say(ann.page, `@${bob.name}`);
    const format = ann.page.getByText('Private message format: @username message');
    await expectPage(format).toBeVisible();
    await expectPage(format).toBeHidden();
    await field(ann.page).fill('');
    await say(ann.page, '/clear');
    await expectPage(ann.page.getByText('Only admins can use commands')).toBeVisible();

    await say(admin.page, '/announce be nice');
    await expectPage(log(bob.page).getByText('be nice')).toBeVisible();
    await say(admin.page, `/kick ${ann.name}`);
    await expectPage(ann.page.getByText('Kicked from server: removed by an admin')).toBeVisible();
    await expectPage(ann.page.getByRole('heading', { name: 'Lobbies' })).toBeVisible();
    await expectPage(log(bob.page).getByText(`${ann.name} left`)).toBeVisible();
    await say(admin.page, '/clear');
    await expectPage(log(bob.page).getByText('An admin has cleared the chat.')).toBeVisible();
    expect(await log(bob.page).getByText('thanks').count()).toBe(0);
  });

  test('typing does not move the cell; C, Escape and the emoji work from the keyboard', async () => {
    const player = await signUp(browser, engulf);
    const { page } = player;
    await enterLobby(player, 'Petri Dish');
    await expectPage(chat(page)).toContainText('Lobby Chat (Coming Soon)');
    const { mass } = await readSelf(page);
    await page.keyboard.press('F4');
    await expectPage.poll(async () => (await readSelf(page)).mass).toBeGreaterThan(mass + 900);

    await page.keyboard.press('c');
    await expectPage(field(page)).toBeHidden();
    await page.keyboard.press('c');
    await expectPage(field(page)).toBeFocused();
    await page.keyboard.type('cccc wwww    ');
    await page.keyboard.press('Space');
    await expectPage(field(page)).toHaveValue('cccc wwww     ');
    expect((await readSelf(page)).ownCells).toBe(1);
    await page.keyboard.press('Escape');
    await expectPage(field(page)).not.toBeFocused();
    await expectPage(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();

    await page.keyboard.press('Enter');
    await expectPage(field(page)).toBeFocused();
    await field(page).fill('gg ');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expectPage(field(page)).toHaveValue('gg 😂');
    await expectPage(field(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expectPage(log(page).getByText('gg 😂')).toBeVisible();
    await expectPage(chat(page).getByRole('heading')).toHaveText(/^Chat \([1-9]\d*\)$/);

    await page.keyboard.press('Space');
    await expectPage.poll(async () => (await readSelf(page)).ownCells).toBe(2);
  });

  test('an own picture is shown in the cell, once for each player', async () => {
    const [ann, bob] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await ann.page.locator('input[type=file]').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: await drawPicture(ann.page, 400),
    });
    await ann.page.getByRole('button', { name: 'Use photo' }).click();
    await expectPage(ann.page.getByText('Profile photo Updated')).toBeVisible();
    const { user } = await getJson<{ user: { avatarUrl: string } }>(ann.page, '/api/auth/profile');
    const asked: string[] = [];
    bob.page.on('response', (response) => {
      if (response.url().includes('/avatars/')) asked.push(`${response.status()} ${response.url()}`);
    });
    await enterLobby(ann, 'Petri Dish');
    await bob.page.getByRole('button', { name: 'Spectate: Petri Dish' }).click();
    await expectPage.poll(() => asked).toEqual([`200 ${engulf.url}${user.avatarUrl}`]);
  });

  test('over a line that dies without a word, a player is soon back in the same body and told what was not sent', async () => {
    const line = await openSilentLine(engulf.ports.port);
    const { page } = await signUp(browser, { ...engulf, url: `http://localhost:${line.port}` });
    await enterLobby({ page }, 'Petri Dish');
    await say(page, 'before');
    await expectPage(log(page)).toContainText('before');
    // Silence counts from then on.
    await page.waitForTimeout(5_000);
    const { x, y } = await readSelf(page);
    line.fallSilent();
    await say(page, 'into the void');
    await expectPage(page.getByText('Network Disconnected')).toBeVisible();
    await expectPage(page.getByText('Unable to send')).toBeVisible();
    await expectPage(page.getByText('Network Disconnected')).toBeHidden();
    await expectPage(field(page)).toHaveValue('into the void');
    await expectPage(page.getByRole('dialog')).toBeHidden();
    const self = await readSelf(page);
    expect(self.mass).toBeGreaterThan(0);
    expect(Math.hypot(self.x - x, self.y - y)).toBeLessThan(300);
    line.close();
  });
});
