import { ROOM_SERVER_MESSAGES } from '@engulf/protocol/room/server-messages';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CALM_RULES } from '../calm-rules.ts';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, operate, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { drawPicture } from '../pictures/draw-picture.ts';
import { enterLobby, getJson, hideDebug, type Player, signUp } from '../player.ts';
import { seeCell } from '../seen-cell.ts';
import { openSilentLine } from '../silent-line.ts';
import { readSelf, steer, steerUntil } from '../steering.ts';

/** Nothing happens to a player while people talk. */
const RULES = { ...CALM_RULES, departure: { graceSeconds: 3 } };

const VIOLET = [183, 155, 255] as const;
/** The ground of an emote. */
const BONE = [245, 242, 231] as const;

/** The first byte of its frame. */
const EMOTE = ROOM_SERVER_MESSAGES.emote.number;

describe('the chat of an arena in browsers', () => {
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

  const chat = (page: Page) => page.getByRole('region', { name: 'Chat', exact: true });
  const field = (page: Page) => page.getByLabel('Message to the lobby');
  const log = (page: Page) => page.getByRole('log', { name: 'Chat messages' });
  const say = async (page: Page, text: string) => {
    await field(page).fill(text);
    await field(page).press('Enter');
  };
  /** By the name in the chat: the rows of the leaderboard change places. */
  const silence = async (page: Page, name: string, button = 'Silence') => {
    const author = log(page).getByRole('button', { name: `Report ${name}` });
    await author.first().click();
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  };
  const chooseColour = async (page: Page, colour: string) => {
    await page.getByRole('button', { name: 'Colour of your cell' }).click();
    await page.getByRole('radio', { name: colour }).click();
    await page.getByRole('button', { name: 'Use this colour' }).click();
    await expectPage(page.getByRole('dialog')).toBeHidden();
  };
  const choosePhoto = async (page: Page) => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: await drawPicture(page, 400),
    });
    await page.getByRole('button', { name: 'Use photo' }).click();
    await expectPage(page.getByText('Profile photo Updated')).toBeVisible();
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

    await silence(bob.page, ann.name);
    await say(ann.page, 'who is deaf?');
    await expectPage(log(admin.page).getByText('who is deaf?')).toBeVisible();
    expect(await log(bob.page).getByText('who is deaf?').count()).toBe(0);
    await silence(bob.page, ann.name, 'Hear again');

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

  test('a player is seen in the colour it chose, with its emote on it until it is silenced', async () => {
    const [ann, bob] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    let emotes = 0;
    bob.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (payload[0] === EMOTE) emotes++;
      }),
    );
    // Some of the faces that players begin with have the colour of an emote.
    await choosePhoto(ann.page);
    await chooseColour(ann.page, 'Violet');
    await chooseColour(bob.page, 'Amber');
    // For money: bots have faces of any colour.
    for (const player of [bob, ann]) await enterLobby(player, 'Shallows');
    await steer(bob.page, 0, 0);
    const bobAt = await readSelf(bob.page);
    // Where nothing lies on it on the other's screen.
    const place = { x: bobAt.x + (bobAt.x < CALM_RULES.worldSize / 2 ? 290 : -290), y: bobAt.y };
    const isThere = async () => {
      const { x, y } = await readSelf(ann.page);
      return Math.abs(x - place.x) < 90 && Math.abs(y - place.y) < 90;
    };
    await expectPage(async () => {
      await steerUntil(ann.page, () => place, isThere);
      await steer(ann.page, 0, 0);
      await ann.page.waitForTimeout(500);
      expect(await isThere()).toBe(true);
    }).toPass({ timeout: 60_000 });
    await hideDebug(bob.page);
    await say(ann.page, 'look at me');
    await expectPage(log(bob.page).getByText('look at me')).toBeVisible();

    const seen = () => seeCell(bob.page, VIOLET, BONE);
    // It is translucent until its protection ends.
    await expectPage.poll(async () => (await seen()).pixels).toBeGreaterThan(1_000);
    const { onIt } = await seen();
    // A second one within two seconds is not sent; none stays for longer than three.
    const show = async (key: string) => {
      const before = emotes;
      await expectPage(async () => {
        await ann.page.keyboard.press(key);
        await ann.page.waitForTimeout(100);
        expect(emotes).toBeGreaterThan(before);
      }).toPass({ intervals: [100] });
      return (await seen()).onIt;
    };
    await expectPage.poll(() => show('1')).toBeGreaterThan(onIt + 300);
    await silence(bob.page, ann.name);
    await expectPage.poll(async () => (await seen()).onIt).toBeLessThan(onIt + 100);
    const lookAfter = async (key: string) => {
      await show(key);
      // Until it would be drawn.
      await bob.page.waitForTimeout(500);
      return (await seen()).onIt;
    };
    // Again, because somebody's name may pass by.
    await expectPage.poll(() => lookAfter('2')).toBeLessThan(onIt + 100);
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
    await choosePhoto(ann.page);
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
