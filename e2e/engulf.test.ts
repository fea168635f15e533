import type { Browser } from '@playwright/test';
import { expect as expectPage } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtChain } from './chain.ts';
import { launchChromium } from './chromium.ts';
import { type Engulf, forget, startEngulf } from './engulf.ts';
import {
  enterLobby,
  getJson,
  lobbyRow,
  openPage,
  type Player,
  readSelf,
  settledHistory,
  signUp,
  steer,
  steerUntil,
} from './player.ts';
import { ringWalk } from './ring-walk.ts';

/**
 * A small, rich arena with exits in its middle and hardly a bot, so that a whole match takes seconds. No rule
 * is bent otherwise.
 */
const QUICK_RULES = {
  worldSize: 1800,
  spawn: { invulnerableSeconds: 2 },
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 25, warningSeconds: 3, borderDistance: 900, radius: 90 },
  departure: { graceSeconds: 2 },
  bots: { sight: 1, joinEverySeconds: 1000 },
};
const { middle: MIDDLE, ahead: aheadOnRing, towards: roundTheMiddle } = ringWalk(QUICK_RULES.worldSize, 600);

/** 0.05 SOL less the platform's 5 %. */
const STAKE = 47_500_000n;
const SHALLOWS = { name: 'Shallows', chainLobbyId: 1n };

describe('Engulf in a browser', { timeout: 240_000 }, () => {
  let browser: Browser;
  let engulf: Engulf;
  let chain: ReturnType<typeof lookAtChain>;

  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: QUICK_RULES })]);
    const page = await openPage(browser, engulf);
    const { programId } = await getJson<{ programId: string }>(page, '/api/config');
    chain = lookAtChain({ ...engulf, programId });
    await page.context().close();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  }, 60_000);

  const leave = async (...players: Player[]) => {
    for (const { page } of players) await page.context().close();
  };

  test('shows a visitor the live lobbies', async () => {
    const page = await openPage(browser, engulf);
    for (const name of ['Petri Dish', 'Primordial', 'Shallows', 'The Deep', 'Gulp Tank', 'Night Shift']) {
      await expectPage(lobbyRow(page, name)).toBeVisible();
    }
    // The bots of a free lobby are at play: its pool comes over the socket.
    await expectPage(lobbyRow(page, 'Petri Dish')).toContainText(/\$\d+\.\d\d/);
    await page.getByRole('tab', { name: /Semi-private/ }).click();
    await expectPage(lobbyRow(page, 'Inner Circle')).toBeVisible();
    await page.context().close();
  });

  test('lets a newcomer sign in, unlock, eat, split and be seen by others', async () => {
    const [first, second] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await enterLobby(first, 'Primordial');
    await first.page.keyboard.press('Space');
    await expect.poll(async () => (await readSelf(first.page)).ownCells, { timeout: 10_000 }).toBe(2);
    const { mass } = await readSelf(first.page);
    await steerUntil(
      first.page,
      (self) => aheadOnRing(self),
      async () => (await readSelf(first.page)).mass > mass + 5,
      60_000,
    );
    await enterLobby(second, 'Primordial');
    await expectPage(second.page.getByText(first.name).first()).toBeVisible();
    await expectPage(first.page.getByText(second.name).first()).toBeVisible();
    await leave(first, second);
  });

  test('moves every lamport of a paid match from wallet to pool to bounty to wallet', async () => {
    const [hunter, prey] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await enterLobby(hunter, SHALLOWS.name);
    await enterLobby(prey, SHALLOWS.name);
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(2n * STAKE);
    const before = await chain.balance(hunter.wallet);

    await steerUntil(
      hunter.page,
      (self) => aheadOnRing(self),
      async () => (await readSelf(hunter.page)).mass > 70,
      90_000,
    );
    const preyAt = await readSelf(prey.page);
    const rekt = prey.page.getByText('your dot got annihilated.');
    await steerUntil(
      hunter.page,
      (self) => roundTheMiddle(self, preyAt),
      () => rekt.isVisible(),
      90_000,
    );
    const secured = hunter.page.getByText('You have successfully exited through the portal');
    await steerUntil(
      hunter.page,
      () => MIDDLE,
      () => secured.isVisible(),
      90_000,
    );
    await expectPage(hunter.page.getByText('x1.90')).toBeVisible();

    const [payout] = await settledHistory(hunter, 1);
    expect(payout).toMatchObject({ amount: String(2n * STAKE), isRefund: false });
    expect(await chain.change(payout!.txnHash!, hunter.wallet)).toBe(2n * STAKE);
    expect((await chain.balance(hunter.wallet)) - before).toBe(2n * STAKE);
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(0n);
    await leave(hunter, prey);
  });

  test('refunds the stake of a player who forfeits', async () => {
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

  test('refunds everyone when the server is killed in the middle of a match', async () => {
    const players = [await signUp(browser, engulf), await signUp(browser, engulf)];
    for (const player of players) await enterLobby(player, SHALLOWS.name);
    await steer(players[0]!.page, 1, 0);
    const before = await Promise.all(players.map(({ wallet }) => chain.balance(wallet)));
    await engulf.kill();
    engulf = await startEngulf({ rules: QUICK_RULES, after: engulf });
    for (const [index, player] of players.entries()) {
      const [refund] = await settledHistory(player, 1);
      expect(refund).toMatchObject({ amount: String(STAKE), isRefund: true });
      expect((await chain.balance(player.wallet)) - before[index]!).toBe(STAKE);
    }
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(0n);
    await leave(...players);
  });
});
