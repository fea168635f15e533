import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { drawFrames } from '../frames.ts';
import { drawPicture } from '../pictures/draw-picture.ts';
import { openPage, signUp } from '../player.ts';

/** Several pages at once on software rendering are slow to appear. */

describe('the menu in a browser', () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ limitScale: 100 })]);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
  const say = async (page: Page, text: string) => {
    const input = page.getByLabel('Message to everyone');
    await input.fill(text);
    await input.press('Enter');
  };

  test('two players talk, a visitor reads along and scrolls back without a jump', async () => {
    const [ann, bob] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    const visitor = await openPage(browser, engulf);
    await expectPage(visitor.getByText('Nobody has said anything yet.')).toBeVisible();
    await expectPage(visitor.getByRole('button', { name: 'Connect wallet to chat' })).toBeVisible();

    await say(ann.page, 'what the fuck is <b>that</b>');
    for (const page of [ann.page, bob.page, visitor]) {
      await expectPage(log(page).getByText('what the **** is <b>that</b>')).toBeVisible();
      await expectPage(log(page).getByText(ann.name)).toBeVisible();
    }
    await expectPage(log(ann.page).getByText('you', { exact: true })).toBeVisible();
    await expectPage(log(bob.page).getByText('you', { exact: true })).toBeHidden();
    await say(bob.page, 'see https://example.com');
    await expectPage(log(ann.page).getByText('see https://example.com')).toBeVisible();
    expect(await log(ann.page).getByRole('link').count()).toBe(0);

    for (let nth = 1; nth <= 33; nth++) await say(nth % 2 ? ann.page : bob.page, `number ${nth}.`);
    await expectPage(log(visitor).getByText('number 33.')).toBeVisible();

    // A page that arrives later has the newest ten and loads the rest on the way up.
    const late = await openPage(browser, engulf);
    await expectPage(log(late).getByText('number 33.')).toBeVisible();
    await expectScrollKeepsPlace(late);
    await expectPage(async () => {
      await log(late).evaluate((element) => element.scrollTo(0, 0));
      expect(await log(late).getByText('what the ****').isVisible()).toBe(true);
    }).toPass({ timeout: 30_000 });

    // Readers of old messages are told of new ones and keep their place.
    await say(ann.page, 'the newest');
    await late.getByRole('button', { name: '1 new message' }).click();
    await expectPage(log(late).getByText('the newest')).toBeVisible();
  });

  /** Looks at one message while the page above it is loaded. */
  async function expectScrollKeepsPlace(page: Page): Promise<void> {
    const heightPx = () => log(page).evaluate(({ scrollHeight }) => scrollHeight);
    // Close to the top, but not so close that older messages are loaded.
    await log(page).evaluate((element) => element.scrollTo(0, 90));
    await drawFrames(page);
    const before = await heightPx();
    const anchor = await log(page).evaluate((element) => {
      element.scrollTop = 45;
      const topPx = element.getBoundingClientRect().top + 60;
      const texts = [...element.querySelectorAll('p')];
      const seen = texts
        .map((text) => ({ text: text.textContent, y: text.getBoundingClientRect().y }))
        .filter(({ y }) => y > topPx);
      return seen.toSorted((a, b) => a.y - b.y)[0]!;
    });
    await expectPage.poll(heightPx).toBeGreaterThan(before + 200);
    await drawFrames(page);
    const { y } = (await log(page).getByText(anchor.text, { exact: true }).boundingBox())!;
    expect(Math.abs(y - anchor.y)).toBeLessThanOrEqual(2);
  }

  test('a message that the server refuses is explained and not lost', async () => {
    const { page } = await signUp(browser, engulf);
    await say(page, '   ');
    await say(page, '/clear');
    await expectPage(page.getByRole('alert')).toHaveText('Message error Only admins can use commands');
    await expectPage(page.getByLabel('Message to everyone')).toHaveValue('/clear');
    await page.getByLabel('Message to everyone').fill('x'.repeat(250));
    await expectPage(page.getByText('200/200')).toBeVisible();
    await expectPage(page.getByRole('alert')).toBeHidden();
  });

  test('a player chooses a photo by keyboard; a bad file changes nothing', async () => {
    const { page, name } = await signUp(browser, engulf);
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
    await expectPage(page.getByText('Only PNG or JPG images are allowed.')).toBeVisible();
    await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
    await expectPage(page.getByText('Invalid image file')).toBeVisible();
    await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await drawPicture(page, 100) });
    await expectPage(page.getByText('Image must be greater than 128 x 128 pixels.')).toBeVisible();
    await expectPage(page.getByRole('dialog')).toBeHidden();

    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Change photo' }).press('Enter');
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: await drawPicture(page, 400) };
    await (await chooser).setFiles(picture);
    await page.getByRole('slider', { name: 'Zoom' }).press('ArrowRight');
    await page.getByRole('button', { name: 'Use photo' }).press('Enter');
    await expectPage(page.getByText('Profile photo Updated')).toBeVisible();
    const avatarUrl = await page.evaluate(
      async () => (await (await fetch('/api/auth/profile')).json()).user.avatarUrl as string,
    );
    expect(avatarUrl).toMatch(/^\/avatars\/[0-9a-f]{64}\.png$/);

    await say(page, 'look at me');
    const visitor = await openPage(browser, engulf);
    await expectPage(log(visitor).getByText(name)).toBeVisible();
    const image = log(visitor).locator(`img[src="${avatarUrl}"]`);
    await expectPage
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBe(256);

    // A picture that is gone gives way to a portrait.
    await visitor.route('**/avatars/**', (route) => route.fulfill({ status: 404 }));
    await visitor.reload();
    await expectPage(log(visitor).getByText('look at me')).toBeVisible();
    await expectPage(image).toHaveCount(0);
  });
});
