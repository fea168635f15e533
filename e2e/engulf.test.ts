import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALM_RULES } from './calm-rules.ts';
import { createChainReader } from './chain.ts';
import { launchChromium } from './chromium.ts';
import { type Engulf, forget, startEngulf } from './engulf.ts';
import { expect as expectPage } from './expect.ts';
import { enterLobby, getJson, lobbyRow, openPage, type Player, settledHistory, signUp } from './player.ts';
import { flexWinnings } from './share.ts';
import { readSelf, ringWalk, steer, steerUntil } from './steering.ts';

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
