import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALM_RULES } from '../calm-rules.ts';
import { createChainReader } from '../chain.ts';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import {
  enterLobby,
  getJson,
  openPage,
  type Player,
  pressPlay,
  settledHistory,
  signUp,
  waitAtTheDoor,
  waitForSpawn,
} from '../player.ts';
import { readSelf, steer } from '../steering.ts';

const RULES = {
  ...CALM_RULES,
  // Enough for a page that loads slowly.
  departure: { graceSeconds: 30 },
  // Pieces stay apart, so that a body is known by their number.
  merging: { minSeconds: 600, maxSeconds: 600 },
};

/** 0.05 SOL less the platform's 5 %. */
const STAKE = 47_500_000n;
const SHALLOWS = { name: 'Shallows', chainLobbyId: 1n };

describe('returns and refunds', () => {
  let browser: Browser;
  let engulf: Engulf;
  let chain: ReturnType<typeof createChainReader>;

  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: RULES })]);
    const page = await openPage(browser, engulf);
    const { programId } = await getJson<{ programId: string }>(page, '/api/config');
    chain = createChainReader({ ...engulf, programId });
    await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const leave = async (...players: Player[]) => {
    for (const { page } of players) await page.context().close();
  };

  test('a player who reloads, opens another window or has lost all of them returns to the same body', async () => {
    const player = await signUp(browser, engulf);
    const { page } = player;
    await enterLobby(player, 'Petri Dish');
    await page.keyboard.press('Space');
    await expect.poll(async () => (await readSelf(page)).ownCells).toBe(2);
    await page.reload();
    await waitForSpawn(page);
    expect((await readSelf(page)).ownCells).toBe(2);

    const other = await page.context().newPage();
    await other.goto(engulf.url);
    await other.getByRole('button', { name: 'Return to match' }).click();
    await waitForSpawn(other);
    expect((await readSelf(other)).ownCells).toBe(2);
    await expectPage(page.getByText('You joined from somewhere else')).toBeVisible();

    // As after a crash: no window of the player is left.
    for (const window of [page, other]) await window.close();
    const next = await page.context().newPage();
    await next.goto(engulf.url);
    await next.getByRole('button', { name: 'Return to match' }).click();
    await waitForSpawn(next);
    expect((await readSelf(next)).ownCells).toBe(2);
    await leave({ ...player, page: next });
  });

  test('a player who reloads before the payment is claimed, and again before it is verified, pays once', async () => {
    const { page, wallet } = await signUp(browser, engulf);
    await page.route('**/join-lobby', (route) =>
      route.request().postData()?.includes('transactionHash')
        ? route.fulfill({ status: 502 })
        : route.continue(),
    );
    await page.route('**/payment-status?*', (route) =>
      route.fulfill({ json: { status: 'payment_processing' } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 502);
    await pressPlay(page, SHALLOWS.name);
    await refused;
    const before = await chain.balance(wallet);
    await page.unroute('**/join-lobby');
    await page.reload();
    await expectPage(page.getByRole('button', { name: 'Verifying payment...' })).toBeVisible();
    await page.unroute('**/payment-status?*');
    await page.reload();
    await waitForSpawn(page);
    expect(await chain.balance(wallet)).toBe(before);
    await page.context().close();
  });

  test('a player who gives up waiting for the arena keeps the paid seat, also if the room heard of it', async () => {
    for (const fate of ['turnAway', 'letIn'] as const) {
      const player = await signUp(browser, engulf);
      const { page, wallet } = player;
      const openDoor = await waitAtTheDoor(page, SHALLOWS.name);
      await expectPage(page.getByText('Your paid seat is kept')).toBeVisible();
      const before = await chain.balance(wallet);
      await page.getByRole('button', { name: 'Back to menu' }).focus();
      await page.keyboard.press('Enter');
      await openDoor(fate);
      await pressPlay(page, SHALLOWS.name);
      if (fate === 'letIn') await page.getByRole('button', { name: 'Return to match' }).click();
      await waitForSpawn(page);
      expect(await chain.balance(wallet)).toBe(before);
      await leave(player);
    }
  });

  test('a player who forfeits gets the stake back', async () => {
    const player = await signUp(browser, engulf);
    await enterLobby(player, SHALLOWS.name);
    const before = await chain.balance(player.wallet);
    await player.page.getByRole('button', { name: 'Return Home' }).click();
    await player.page.getByRole('button', { name: 'Confirm' }).click();
    const [refund] = await settledHistory(player, 1);
    expect(refund).toMatchObject({ amount: String(STAKE), isRefund: true });
    expect((await chain.balance(player.wallet)) - before).toBe(STAKE);
    await leave(player);
  });

  test('everyone is refunded when the server is killed in the middle of a match', async () => {
    const players = [await signUp(browser, engulf), await signUp(browser, engulf)];
    for (const player of players) await enterLobby(player, SHALLOWS.name);
    await steer(players[0]!.page, 1, 0);
    const before = await Promise.all(players.map(({ wallet }) => chain.balance(wallet)));
    await engulf.kill();
    const starting = startEngulf({ rules: RULES, after: engulf });
    const { page } = players[0]!;
    await page.getByRole('button', { name: 'View Refund' }).click({ timeout: 60_000 });
    engulf = await starting;
    // The list was asked for while nobody answered.
    await expectPage(page.getByRole('tabpanel').getByText('Refund').first()).toBeVisible();
    await expectPage(page.getByText('Paid', { exact: true })).toBeVisible();
    for (const [index, player] of players.entries()) {
      const [refund] = await settledHistory(player, 1);
      expect(refund).toMatchObject({ amount: String(STAKE), isRefund: true });
      expect((await chain.balance(player.wallet)) - before[index]!).toBe(STAKE);
    }
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(0n);
    await leave(...players);
  });
});
