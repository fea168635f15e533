import { raffleDay } from '@engulf/domain/social/raffle';
import type { Browser, Page, Response } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { OPEN_GATES } from '../pictures/gates.ts';
import { closeGuide, getJson, lobbyRow, openPage, signUp, waitForSpawn } from '../player.ts';

describe('early access in a browser', () => {
  let browser: Browser;
  let engulf: Engulf;

  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf()]);
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const connectWallet = async (): Promise<Page> => {
    const page = await openPage(browser, engulf);
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('button', { name: /Burner/ }).click();
    await expectPage(page.getByRole('button', { name: 'Enter access code' })).toBeEnabled();
    return page;
  };
  const connectX = async (page: Page, account: string, answer: 'Authorize app' | 'Cancel') => {
    await page.getByRole('button', { name: 'Connect: Connect your X account' }).click();
    await page.getByLabel('Account name').fill(account);
    await page.getByRole('button', { name: answer }).click();
  };

  test('tasks done at X lead to the raffle, whose list is public', async () => {
    const page = await connectWallet();
    const enterRaffle = page.getByRole('button', { name: 'Enter raffle' });
    await expectPage(enterRaffle).toBeDisabled();

    await connectX(page, 'gulpzilla', 'Cancel');
    await expectPage(page.getByText('User cancelled external social API authorization')).toBeVisible();
    await expectPage(page).toHaveURL(`${engulf.url}/`);
    await connectX(page, 'gulpzilla', 'Authorize app');
    await expectPage(page.getByText('X account connected')).toBeVisible();
    await expectPage(page).toHaveURL(`${engulf.url}/`);
    await expectPage(page.getByText('1 of 4 done')).toBeVisible();

    for (const [action, task] of [
      ['Follow', 'Follow Engulf on X'],
      ['Like', 'Like the beta post'],
      ['Repost', 'Repost the beta post'],
    ] as const) {
      const opened = page.context().waitForEvent('page');
      await page.getByRole('button', { name: `${action}: ${task}` }).click();
      const atX = await opened;
      await atX.getByRole('button', { name: action }).click();
      await expectPage(atX.getByText('Done as @gulpzilla')).toBeVisible();
      await atX.close();
    }
    await expectPage(page.getByText('Task Queued').first()).toBeVisible();
    await expectPage(page.getByText('4 of 4 done')).toBeVisible();
    const isEntry = (answer: Response) =>
      answer.url().endsWith('/api/dashboard/raffle') && answer.request().method() === 'POST';
    const [entry] = await Promise.all([page.waitForResponse(isEntry), enterRaffle.click()]);
    // The next day may begin at any time from here on.
    const enteredOn = raffleDay(Date.parse((await entry.headerValue('date'))!));
    await expectPage(page.getByText('Successfully entered the raffle!')).toBeVisible();
    await expectPage(page.getByRole('button', { name: 'Entered' })).toBeDisabled();

    const { user } = await getJson<{ user: { walletAddress: string } }>(page, '/api/auth/profile');
    const href = await page.getByRole('link', { name: 'How winners are drawn' }).getAttribute('href');
    const days = [enteredOn, raffleDay(Date.now())];
    expect(days.map((day) => `/raffle/${day}`)).toContain(href);
    const proof = await page.evaluate(async (path) => (await fetch(path!)).text(), href);
    expect(proof).toContain('How winners are drawn');
    const day = await getJson<{ entries: string[]; drawnAt: string | null }>(
      page,
      `/api/raffle/${enteredOn}`,
    );
    expect(day).toMatchObject({ entries: [user.walletAddress], drawnAt: null });
    await page.context().close();
  });

  test('one X account cannot serve two players', async () => {
    const page = await connectWallet();
    await connectX(page, 'GulpZilla', 'Authorize app');
    await expectPage(page.getByText('Twitter is already connected')).toBeVisible();
    await expectPage(page.getByText('0 of 4 done')).toBeVisible();
    await page.context().close();
  });

  test('a winner is told once and may play', async () => {
    const page = await connectWallet();
    let isNotified = false;
    // The draw itself is tested with the clock of the server; here the page is told of it.
    await page.route('**/api/dashboard/raffle', (route) =>
      route.fulfill({
        json: { status: 'success', entered: false, result: 'won', isNotified, lastDrawnDay: '2026-11-15' },
      }),
    );
    await page.route('**/api/dashboard/raffle/seen', (route) => {
      isNotified = true;
      return route.fulfill({ json: { status: 'success' } });
    });
    await page.route('**/api/auth/profile', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, user: { ...answer.user, isRaffleWinner: true } } });
    });
    await page.reload();
    await expectPage(page.getByText(/You won the raffle/)).toBeVisible();
    await page.getByRole('button', { name: 'Pick a lobby' }).click();
    await expectPage(page.getByText('Access granted', { exact: true })).toBeVisible();
    await page.reload();
    await expectPage(page.getByText('Access granted', { exact: true })).toBeVisible();
    await expectPage(page.getByRole('dialog')).toBeHidden();
    await page.context().close();
  });

  test('Play leads a newcomer through wallet, access code and guide into the lobby that was pressed', async () => {
    const page = await openPage(browser, engulf);
    await lobbyRow(page, 'Primordial').getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('button', { name: /Burner/ }).click();
    const dialog = page.getByRole('dialog');
    await expectPage(
      dialog.getByText('One step left: during the beta you play with an access code'),
    ).toBeVisible();
    await dialog.getByRole('textbox').pressSequentially('TOOLONG');
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await expectPage(dialog.getByText('Access code must be at most 6 characters')).toBeVisible();
    await dialog.getByRole('textbox').fill('NOPE');
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await expectPage(dialog.getByText('Access code is invalid')).toBeVisible();
    await dialog.getByRole('textbox').fill(engulf.accessCode);
    await dialog.getByRole('button', { name: 'Unlock' }).click();

    await expectPage(dialog.getByRole('heading', { name: 'How to Play' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Got it' }).click();
    await expectPage(dialog.getByText('Confirming your entry into lobby')).toContainText('Primordial');
    await dialog.getByRole('button', { name: 'Play Now' }).click();
    await waitForSpawn(page);
    await expectPage(page.getByText('Access Granted')).toBeHidden();

    // The match goes on in a window that is too narrow for the menu.
    await page.setViewportSize({ width: 900, height: 700 });
    await expectPage(page.getByText('Your match continues.', { exact: false })).toBeVisible();
    await expectPage(page.getByText('Live TVL')).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectPage(page.getByText('Your match continues.', { exact: false })).toBeHidden();
    await page.context().close();
  });

  test('an invitation leads a newcomer through wallet, access code and guide to its lobby, with its code', async () => {
    const { page: host } = await signUp(browser, engulf);
    await host.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await host.getByRole('tab', { name: /Semi-private/ }).click();
    await lobbyRow(host, 'Inner Circle').getByRole('button', { name: 'Enter code' }).click();
    const popup = host.getByRole('dialog');
    await closeGuide(host, popup.getByRole('button', { name: 'Pay & Play' }));
    await popup.getByLabel('Lobby code').fill('AMOEBA');
    await popup.getByRole('button', { name: 'Copy an invitation' }).click();
    const url = await host.evaluate(() => navigator.clipboard.readText());
    await host.context().close();

    const described = await fetch(url);
    expect(described.status).toBe(200);
    expect(await described.text()).toContain('Engulf: you are invited to Inner Circle');

    const page = await openPage(browser, { ...engulf, url });
    await page.getByRole('button', { name: /Burner/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(engulf.accessCode);
    await page.reload();
    await dialog.getByRole('textbox').fill(engulf.accessCode);
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await dialog.getByRole('button', { name: 'Got it' }).click();
    await expectPage(dialog.getByText('into Lobby')).toContainText('Inner Circle');
    await expectPage(dialog.getByLabel('Lobby code')).toHaveValue('AMOEBA');
    expect(new URL(page.url()).pathname).toBe('/');

    // What an invitation brought is forgotten when its popup is closed.
    await page.keyboard.press('Escape');
    await expectPage(dialog).toBeHidden();
    await page.getByRole('tab', { name: /Semi-private/ }).click();
    await lobbyRow(page, 'Inner Circle').getByRole('button', { name: 'Enter code' }).click();
    await expectPage(dialog.getByLabel('Lobby code')).toHaveValue('');
    await page.context().close();
  });

  test('the guide opens by itself only once, and from the top bar', async () => {
    const page = await connectWallet();
    await page.getByRole('button', { name: 'How to Play' }).click();
    const film = page.getByRole('dialog').locator('video');
    await film.evaluate((video: HTMLVideoElement) => video.play());
    await expectPage
      .poll(() => film.evaluate(({ currentTime }: HTMLVideoElement) => currentTime))
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Got it' }).click();
    await expectPage
      .poll(
        async () =>
          (await getJson<{ user: { showGuide: boolean } }>(page, '/api/auth/profile')).user.showGuide,
      )
      .toBe(false);
    await page.context().close();
  });

  test('the list of lobbies has two types and plays in the one that is chosen', async () => {
    const page = await connectWallet();
    await page.getByRole('button', { name: 'Join lobby' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Private Lobby' }).click();
    await expectPage(dialog.getByRole('radio', { name: /Inner Circle/ })).toBeVisible();
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expectPage(page.getByText('Please select a lobby first')).toBeVisible();
    await dialog.getByRole('radio', { name: 'Global Lobby' }).click();
    await dialog.getByRole('radio', { name: /Primordial/ }).click();
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expectPage(dialog.getByRole('heading', { name: 'Access code' })).toBeVisible();
    await page.context().close();
  });

  test('spectating needs a wallet, which is asked for', async () => {
    const page = await openPage(browser, engulf);
    await lobbyRow(page, 'Petri Dish')
      .getByRole('button', { name: /Spectate/ })
      .click();
    await expectPage(page.getByText('Please connect wallet to spectate')).toBeVisible();
    await expectPage(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible();
    await page.context().close();
  });

  test('a page says why the game is closed, until it is switched back', async () => {
    const page = await openPage(browser, engulf);
    let gates = { ...OPEN_GATES };
    await page.route('**/api/auth/countries-list', (route) => route.fulfill({ json: gates }));
    await page.route('**/api/geo', (route) => route.fulfill({ json: { country_code: 'DE' } }));
    await page.clock.install();
    await page.reload();
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    for (const [change, title] of [
      [{ blockedCountryCodes: ['DE'] }, 'Not available in your region yet'],
      [{ isBetaEnable: false }, 'Beta is closed. Devs are cooking'],
      [{ isUpgrading: true }, 'Game is getting an upgrade'],
    ] as const) {
      gates = { ...OPEN_GATES, ...(change as Partial<typeof OPEN_GATES>) };
      await page.clock.runFor(11_000);
      await expectPage(page.getByRole('heading', { name: title })).toBeVisible();
      gates = OPEN_GATES;
      await page.clock.runFor(11_000);
      await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    }
    await page.context().close();
  });

  test('a closed beta leads to the social account', async () => {
    const page = await openPage(browser, engulf);
    const links = page.getByRole('contentinfo').getByRole('link');
    await expectPage(links).toHaveText([
      'Solvency',
      'Fair play',
      'How to play',
      'Docs',
      'Follow on X',
      'Telegram chat',
    ]);
    // No more than the switches that every server has.
    await page.route('**/api/auth/countries-list', (route) =>
      route.fulfill({ json: { blockedCountryCodes: [], isBetaEnable: false } }),
    );
    await page.reload();
    const message = page.getByRole('main');
    await expectPage(
      message.getByRole('heading', { name: 'Beta is closed. Devs are cooking' }),
    ).toBeVisible();
    await expectPage(message.getByRole('link', { name: 'Follow on X' })).toHaveAttribute(
      'href',
      'https://x.com/engulf',
    );
    await page.context().close();
  });

  test('the page waits for the country, and lets in those whose country is unknown', async () => {
    const page = await openPage(browser, engulf);
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/auth/countries-list', (route) =>
      route.fulfill({ json: { ...OPEN_GATES, blockedCountryCodes: ['DE'], isMaintenanceAnnounced: true } }),
    );
    await page.route('**/api/geo', async (route) => {
      await isAsked;
      await route.abort();
    });
    await page.reload();
    await expectPage(page.getByRole('status', { name: 'Loading Engulf' })).toBeVisible();
    answer();
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    await expectPage(page.getByText('Maintenance: 12:00 PM to 3:00 PM UTC')).toBeVisible();
    await page.context().close();
  });

  test('a server that does not answer has its page', async () => {
    const page = await openPage(browser, engulf);
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await expectPage(page.getByRole('heading', { name: 'Server is not available' })).toBeVisible();
    await page.context().close();
  });

  test('a page whose scripts do not arrive says so', async () => {
    const page = await openPage(browser, engulf);
    const advice = page.getByText('Check your connection and reload the page');
    await expectPage(advice).toHaveCount(0);
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await expectPage(advice).toBeVisible();
    await page.unroute('**/assets/*.js');
    await page.getByRole('link', { name: 'reload the page' }).click();
    await expectPage(lobbyRow(page, 'Petri Dish')).toBeVisible();
    await page.context().close();
  });
});
