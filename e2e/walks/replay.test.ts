import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { drawFrames } from '../frames.ts';
import { enterLobby, getJson, openPage, signUp } from '../player.ts';
import { steer } from '../steering.ts';

/** A small arena with a wave of portals every few seconds, far from where anybody is. */
const RULES = {
  worldSize: 1800,
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 3, warningSeconds: 2, activeSeconds: 2, radius: 1 },
  eating: { massRatio: 1_000 },
  departure: { graceSeconds: 2 },
  bots: { sight: 1, joinEverySeconds: 1_000 },
};

const PLAY_SECONDS = 12;
const PHONE = { width: 390, height: 844 };

/** Chunks, workers and recordings are loaded first. */
const SOON = { timeout: 60_000 };

describe('a match that has ended', () => {
  let browser: Browser;
  let engulf: Engulf;
  let matchId: string;
  let name: string;

  /** Somebody pays, plays and leaves; another one plays until the server is stopped, which ends the match. */
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: RULES })]);
    const leaver = await signUp(browser, engulf);
    await enterLobby(leaver, 'Shallows');
    const stayer = await signUp(browser, engulf);
    name = stayer.name;
    await enterLobby(stayer, 'Shallows');
    await leaver.page.getByRole('button', { name: 'Return Home' }).click();
    await leaver.page.getByRole('button', { name: 'Confirm' }).click();
    for (let second = 0; second < PLAY_SECONDS; second++) {
      await steer(stayer.page, Math.cos(second), Math.sin(second));
      await stayer.page.waitForTimeout(1_000);
    }

    // Until it has ended, its recording would help the players.
    const visitor = await openPage(browser, engulf);
    await visitor.getByRole('button', { name: 'Verify' }).first().click();
    await expectPage(visitor.getByText('This match is still running.')).toBeVisible(SOON);
    const { data } = await getJson<{ data: { data: { matchId: string }[] } }>(
      visitor,
      '/api/dashboard/list_activity?page=1',
    );
    matchId = data.data[0]!.matchId;
    await visitor.goto(`${engulf.url}/replay/${matchId}`);
    await expectPage(visitor.getByText('This match is still running')).toBeVisible(SOON);

    await engulf.stop();
    engulf = await startEngulf({ after: engulf, rules: RULES });
    for (const { page } of [leaver, stayer, { page: visitor }]) await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const step = (page: Page, check: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(check, { exact: true }) });
  const openVerify = async (page: Page) => {
    await page.getByRole('button', { name: 'Verify' }).first().click();
    await expectPage(page.getByRole('dialog', { name: 'Verify a match' })).toBeVisible(SOON);
  };

  test('is checked by a visitor without a wallet, in the page', async () => {
    const page = await openPage(browser, engulf);
    const isPaid = async () => {
      const { data } = await getJson<{ data: { entries: { payout: { status: string } | null }[] } }>(
        page,
        `/api/matches/${matchId}`,
      );
      return data.entries.length === 2 && data.entries.every(({ payout }) => payout?.status === 'completed');
    };
    await expect.poll(isPaid, { timeout: 300_000, interval: 500 }).toBe(true);
    await openVerify(page);
    await expectPage(page.getByText('Everything checks out.')).toBeVisible(SOON);
    for (const check of [
      'Recording',
      'Commitment',
      'Block',
      'Replay',
      'Entries',
      'Portals',
      'Settlement',
      'Payouts',
      'Program',
    ]) {
      await expectPage(step(page, check).getByRole('img', { name: 'Passed' })).toBeVisible();
    }
    await expectPage(step(page, 'Replay')).toContainText(/all \d+ steps/);
    await page.context().close();
  });

  test('is refused if a bit of its recording was changed, and the replay is not played', async () => {
    const page = await openPage(browser, engulf);
    await page.context().route('**/recording', async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body[body.length >> 1]! ^= 4;
      await route.fulfill({ response, body });
    });
    await openVerify(page);
    await expectPage(page.getByText('This match fails the check.')).toBeVisible(SOON);
    const recording = step(page, 'Recording');
    await expectPage(recording.getByRole('img', { name: 'Failed' })).toBeVisible();
    await expectPage(recording).toContainText(/ at byte \d+/);
    await page.goto(`${engulf.url}/replay/${matchId}`);
    await expectPage(page.getByText('This recording cannot be played')).toBeVisible(SOON);
    await page.context().close();
  });

  test('is refused if more was settled than was played for', async () => {
    const page = await openPage(browser, engulf);
    await page.context().route(`**/api/matches/${matchId}`, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as {
        data: { entries: { amount: string; payout: { amount: string } }[] };
      };
      const [entry] = answer.data.entries;
      entry!.amount = entry!.payout.amount = String(BigInt(entry!.amount) + 1n);
      await route.fulfill({ response, json: answer });
    });
    await openVerify(page);
    await expectPage(step(page, 'Settlement').getByRole('img', { name: 'Failed' })).toBeVisible(SOON);
    await expectPage(step(page, 'Replay').getByRole('img', { name: 'Passed' })).toBeVisible();
    await page.context().close();
  });

  test('is watched again: pause, speed, jumps, following, and a link to the moment', async () => {
    const page = await openPage(browser, engulf);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Watch' }).first().click();
    const time = page.getByRole('slider', { name: 'Time' });
    const ticks = async () => Number(await time.getAttribute('aria-valuenow'));
    await expectPage(page.getByRole('heading', { name: 'Replay of Shallows' })).toBeVisible(SOON);
    await expectPage(page.getByRole('button', { name: `Follow ${name}`, exact: true })).toBeVisible(SOON);
    const first = await ticks();
    await expect.poll(ticks, SOON).toBeGreaterThan(first);

    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await ticks();
    await drawFrames(page, 15);
    expect(await ticks()).toBe(paused);
    // Here the player has only just come, whatever the length of the match.
    await page.getByRole('button', { name: `Follow ${name}`, exact: true }).click();
    await page.getByRole('button', { name: 'Copy link to this moment' }).click();
    await expectPage(page.getByText('Link copied')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`/replay/${matchId}\\?t=[\\d.]+&player=[0-9a-f-]{36}$`));

    await page.keyboard.press('l');
    await expect.poll(ticks, SOON).toBeGreaterThan(paused + 50);
    await page.keyboard.press('j');
    await expect.poll(ticks, SOON).toBeLessThan(paused + 50);
    // The second one is at 60 s.
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Previous keyframe' }).click();
    await expect.poll(ticks, SOON).toBe(0);

    const speed = page.getByRole('slider', { name: 'Speed' });
    await speed.press('End');
    await expectPage(page.getByText('16×')).toBeVisible();
    await speed.press('Home');
    await expectPage(page.getByText('1/4×')).toBeVisible();
    await expectPage(page.locator('button[data-kind="wave"]').first()).toBeAttached(SOON);

    await time.focus();
    await time.press('End');
    await expect.poll(ticks, SOON).toBeGreaterThan(paused);

    const friend = await openPage(browser, { ...engulf, url: link });
    const there = friend.getByRole('slider', { name: 'Time' });
    await expectPage(friend.getByRole('button', { name: `Follow ${name}`, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
      SOON,
    );
    expect(Number(await there.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(paused - 3);
    for (const each of [page, friend]) await each.context().close();
  });

  test('can be watched on a phone: nothing is outside the window or under something else', async () => {
    const url = `${engulf.url}/replay/${matchId}`;
    const page = await openPage(browser, { ...engulf, url }, PHONE);
    const follow = page.getByRole('button', { name: `Follow ${name}` });
    await expectPage(follow).toBeVisible(SOON);
    const controls = [
      page.getByRole('link', { name: 'Back to the menu' }),
      page.getByRole('button', { name: 'Free camera' }),
      follow,
      page.getByRole('button', { name: 'Pause' }),
      page.getByRole('slider', { name: 'Speed' }),
      page.getByRole('button', { name: 'Copy link to this moment' }),
      page.getByRole('button', { name: 'Verify' }),
    ];
    for (const control of controls) await control.click({ trial: true, timeout: 5_000 });
    await openVerify(page);
    const { x, width } = (await page.getByRole('dialog').boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(PHONE.width);
    await page.context().close();
  });

  test('has a page that other sites can describe; an unknown match has none', async () => {
    const page = await (await fetch(`${engulf.url}/replay/${matchId}`)).text();
    expect(page).toContain('<meta property="og:title" content="Engulf: a match in Shallows" />');
    expect(page).toMatch(/og:description" content="Watch it again and check it yourself: 2 entries/);
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'x', '%3Cscript%3E']) {
      const answer = await fetch(`${engulf.url}/replay/${unknown}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('<script>"');
    }
    const browserPage = await openPage(browser, {
      ...engulf,
      url: `${engulf.url}/replay/00000000-0000-4000-8000-000000000000`,
    });
    await expectPage(browserPage.getByText('There is no such match')).toBeVisible(SOON);
    await expectPage(browserPage.getByRole('button')).toHaveText(['Back to the menu']);
    await browserPage.context().close();
  });
});
