import { SCREEN } from '@engulf/trials/room-player';
import { listLobbies, newPlayer, openRoom } from '@engulf/trials/running-server';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, operate, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { getJson } from '../player.ts';

describe('the console', () => {
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

  /** Somebody who has entered and left, alone, so that the stake is owed to them again. Returns the name. */
  async function playAndLeave(): Promise<string> {
    const client = await newPlayer(engulf);
    await client.send('POST', '/api/dev/faucet', { wallet: client.wallet.address });
    const lobby = (await listLobbies(engulf)).find(({ name }) => name === 'Shallows')!;
    const join = (more = {}) =>
      client.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobby.id, ...more });
    await join();
    const transactionHash = await client.pay(lobby);
    const { body } = await join({ transactionHash, isPaymentConfirmation: true });
    let ticket: string | undefined;
    while (ticket === undefined) {
      const query = `paymentSessionId=${body.paymentSessionId}`;
      ticket = (await client.get(`/api/payment/payment-status?${query}`)).body.joinTicket;
      await new Promise((done) => setTimeout(done, 200));
    }
    const room = await openRoom(engulf, lobby.id, ticket);
    room.send('spawn', SCREEN);
    await room.next('welcome');
    room.leave();
    return (await client.get('/api/auth/profile')).body.user.name;
  }

  const region = (page: Page, name: string | RegExp) =>
    page.getByRole('region', { name, exact: true }).first();

  async function change(page: Page, button: string, within: string): Promise<void> {
    await region(page, within).getByRole('button', { name: button, exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Why' }).fill('the browser test');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await expectPage(dialog.getByText('What you sign')).toBeVisible();
    await dialog.getByRole('button', { name: 'Sign and make the change' }).click();
    await expectPage(dialog).toBeHidden();
  }

  test('an admin finds why somebody was not paid, holds and releases the payout, and drains a lobby', async () => {
    await operate(engulf, 'switch', 'set', 'payouts-paused', 'on');
    const name = await playAndLeave();

    const context = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(`${engulf.url}/console`);
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: /Burner/ }).click();
    await expectPage(page.getByText(/This wallet is not an operator’s/)).toBeVisible();
    const { user } = await getJson<{ user: { walletAddress: string } }>(page, '/api/auth/profile');
    await operate(engulf, 'user', 'role', user.walletAddress, 'admin');
    await page.reload();
    await expectPage(region(page, 'Lobbies')).toContainText('Shallows');

    // "I was not paid."
    await page.keyboard.press('/');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await region(page, /^Players for/)
      .getByRole('link', { name })
      .click();
    await expectPage(region(page, 'Entries')).toContainText('all payouts are paused by a switch');
    const player = page.url();
    await region(page, 'Entries').getByRole('link').first().click();
    await expectPage(region(page, 'From wallet to wallet')).toContainText('Claim');
    await page.goto(player);

    await change(page, 'Hold', 'Payouts and refunds');
    await expectPage(region(page, 'Entries')).toContainText('the browser test');
    await page.keyboard.press('6');
    const pause = region(page, /What can be switched/).getByRole('row', { name: /payouts-paused/ });
    await expectPage(pause).toContainText('on');
    await operate(engulf, 'switch', 'clear', 'payouts-paused');
    await expectPage(pause).toContainText('off');
    await page.goBack();
    await change(page, 'Release', 'Payouts and refunds');
    await expectPage(region(page, 'Entries')).toContainText('Paid at');

    await page.keyboard.press('1');
    await change(page, 'Drain', 'Lobbies');
    await expectPage(region(page, 'Lobbies')).toContainText(/closes \d{4}-/);
    await page.keyboard.press('8');
    for (const what of ['payouts hold', 'payouts release', 'lobby drain', 'user role'])
      await expectPage(region(page, 'What was changed')).toContainText(what);
    expect(loaded.filter((url) => /arena|Renderer|socket\.io|agar_game/.test(url))).toEqual([]);
    await context.close();
  });
});
