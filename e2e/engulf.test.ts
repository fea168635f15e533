import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChainReader } from './chain.ts';
import { launchChromium } from './chromium.ts';
import { type Engulf, forget, startEngulf } from './engulf.ts';
import { expect as expectPage } from './expect.ts';
import {
  enterLobby,
  getJson,
  lobbyRow,
  openPage,
  type Player,
  pressPlay,
  settledHistory,
  signUp,
  waitAtTheDoor,
  waitForSpawn,
} from './player.ts';
import { flexWinnings } from './share.ts';
import { readSelf, ringWalk, steer, steerUntil } from './steering.ts';

/** A small arena in which nothing can happen to a player: no portal opens and nobody can eat anybody. */
const CALM_RULES = {
  worldSize: 1800,
  food: { count: 380, respawnPerSecond: 100 },
  viruses: { count: 0 },
  portals: { idleSeconds: 100_000 },
  eating: { massRatio: 1_000 },
  // Enough for a page that loads slowly.
  departure: { graceSeconds: 30 },
  // Pieces stay apart, so that a body is known by their number.
  merging: { minSeconds: 600, maxSeconds: 600 },
  // Hardly a bot, so that the leaderboard has room for the players.
  bots: { sight: 1, joinEverySeconds: 1_000 },
};

/** The same size, where a little more mass is enough to eat somebody. Its portal opens after both have left the middle. */
const DUEL_RULES = {
  ...CALM_RULES,
  spawn: { invulnerableSeconds: 2 },
  portals: { idleSeconds: 25, warningSeconds: 3, borderDistance: 900, radius: 90 },
  eating: { massRatio: 1.1 },
};
const ring = ringWalk(DUEL_RULES.worldSize, 600);

/** 0.05 SOL less the platform's 5 %. */
const STAKE = 47_500_000n;
const SHALLOWS = { name: 'Shallows', chainLobbyId: 1n };

describe('Engulf in a browser', () => {
  let browser: Browser;
  let engulf: Engulf;
  let chain: ReturnType<typeof createChainReader>;

  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: CALM_RULES })]);
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

  test('the page is built for production, whoever builds it', () => {
    const folder = join(import.meta.dirname, '../apps/web/dist/assets');
    const scripts = globSync('*.js', { cwd: folder });
    expect(scripts).not.toHaveLength(0);
    const isSlow = (script: string) => readFileSync(join(folder, script), 'utf8').includes('jsxDEV');
    expect(scripts.filter(isSlow)).toEqual([]);
  });

  test('a visitor sees the live lobbies', async () => {
    const page = await openPage(browser, engulf);
    for (const name of ['Petri Dish', 'Primordial', 'Shallows', 'The Deep', 'Gulp Tank', 'Night Shift']) {
      await expectPage(lobbyRow(page, name)).toBeVisible();
    }
    // The pool of a free lobby is reported over the socket.
    await expectPage(lobbyRow(page, 'Petri Dish')).toContainText(/\$\d+\.\d\d/);
    await page.getByRole('tab', { name: /Semi-private/ }).click();
    await expectPage(lobbyRow(page, 'Inner Circle')).toBeVisible();
    await page.getByRole('link', { name: 'How to play' }).click();
    await expectPage(page.getByRole('heading', { name: 'How to play', level: 1 })).toBeVisible();
    await expectPage(page.getByRole('table').filter({ hasText: 'forfeit' })).toBeVisible();
    await page.context().close();
  });

  test('a newcomer signs in, unlocks access, splits, eats and is seen by others', async () => {
    const [first, second] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await enterLobby(first, 'Primordial');
    await first.page.keyboard.press('Space');
    await expect.poll(async () => (await readSelf(first.page)).ownCells).toBe(2);
    const { mass } = await readSelf(first.page);
    const hasEaten = async () => (await readSelf(first.page)).mass > mass + 5;
    await steerUntil(first.page, ring.ahead, hasEaten);
    await enterLobby(second, 'Primordial');
    await expectPage(second.page.getByText(first.name).first()).toBeVisible();
    await expectPage(first.page.getByText(second.name).first()).toBeVisible();
    await leave(first, second);
  });

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
    const starting = startEngulf({ rules: CALM_RULES, after: engulf });
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

  test('every lamport of a paid match goes from wallet to pool to bounty to wallet', async () => {
    const [hunter, prey] = [await signUp(browser, engulf), await signUp(browser, engulf)];
    await engulf.stop();
    engulf = await startEngulf({ rules: DUEL_RULES, after: engulf });
    for (const { page } of [hunter, prey]) await page.reload();
    await enterLobby(hunter, SHALLOWS.name);
    await enterLobby(prey, SHALLOWS.name);
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(2n * STAKE);
    const before = await chain.balance(hunter.wallet);

    // The prey waits away from the middle, or it would leave through the portal.
    const isOutside = async () => ring.distance(await readSelf(prey.page)) > 400;
    await steerUntil(prey.page, ring.ahead, isOutside);
    await steer(prey.page, 0, 0);
    const isBigger = async () => (await readSelf(hunter.page)).mass > 55;
    await steerUntil(hunter.page, ring.ahead, isBigger);
    const preyAt = await readSelf(prey.page);
    const isEaten = () => prey.page.getByText('your dot got annihilated.').isVisible();
    await steerUntil(hunter.page, (self) => ring.towards(self, preyAt), isEaten);
    // The prey's replay is made of what its own page was sent: the match is still running.
    await prey.page.getByRole('button', { name: 'Watch how you died' }).click();
    const film = prey.page.getByRole('region', { name: 'Watch how you died' });
    // The film begins before the killer is in sight.
    await expectPage(film.getByText(`Through the eyes of ${hunter.name}`)).toBeVisible();
    await prey.page.keyboard.press('Escape');
    await expectPage(prey.page.getByText('your dot got annihilated.')).toBeVisible();
    const secured = hunter.page.getByText('You have successfully exited through the portal');
    await steerUntil(
      hunter.page,
      () => ring.middle,
      () => secured.isVisible(),
    );
    await expectPage(hunter.page.getByText('x1.90')).toBeVisible();
    // 0.095 SOL at the example price.
    await expectPage(hunter.page.getByText('$14.25').first()).toBeVisible();
    await flexWinnings(hunter, engulf);

    const [payout] = await settledHistory(hunter, 1);
    expect(payout).toMatchObject({ amount: String(2n * STAKE), isRefund: false });
    expect(await chain.change(payout!.txnHash!, hunter.wallet)).toBe(2n * STAKE);
    expect((await chain.balance(hunter.wallet)) - before).toBe(2n * STAKE);
    expect(await chain.pool(SHALLOWS.chainLobbyId)).toBe(0n);
    await leave(hunter, prey);
  });
});
