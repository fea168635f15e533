import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { loadOrCreateKeys } from '@engulf/localnet/setup/keys';
import { robPool } from '@engulf/localnet/testing/rob-pool';
import { readSegment } from '@engulf/sim/recording/segment';
import type { Browser, Page } from '@playwright/test';
import { address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALM_RULES } from '../calm-rules.ts';
import { launchChromium } from '../chromium.ts';
import { type Engulf, forget, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { closeGuide, enterLobby, getJson, lobbyRow, openPage, signUp } from '../player.ts';

/** Nothing can happen to a player. */
/** What has been stored so far of the recording of a match that runs: the signatures of its players. */
function recordedStatements({ dataDir }: Engulf, matchId: string): string[] {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const parts = files.filter((file) => new RegExp(`recordings/${matchId}/[1-9]\\d*$`).test(file));
  return parts.flatMap((file) => {
    const frame = readFileSync(join(dataDir, file));
    const packed = frame.subarray(14, 14 + frame.readUInt32LE(10));
    const segment = readSegment(new Uint8Array(frame[5] === 1 ? inflateRawSync(packed) : packed));
    if (!segment.ok) throw new Error(segment.error.problem);
    return segment.value.commands.flatMap(({ command }) =>
      command.type === 'inputs' ? [Buffer.from(command.signature).toString('hex')] : [],
    );
  });
}

describe('what players can rely on', () => {
  let browser: Browser;
  let engulf: Engulf;

  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf({ rules: CALM_RULES })]);
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  const pool = (page: Page, lobby: string) => page.getByRole('region', { name: lobby, exact: true });

  test('a visitor reads the solvency page without a wallet, on a small screen, and without the game', async () => {
    const page = await openPage(browser, engulf);
    await page.getByRole('link', { name: 'Solvency' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.reload();
    await expectPage(page.getByRole('heading', { name: 'Solvency', level: 1 })).toBeVisible();
    for (const lobby of ['Shallows', 'The Deep', 'Gulp Tank', 'Inner Circle', 'Night Shift']) {
      await expectPage(pool(page, lobby).getByText('Covered', { exact: true })).toBeVisible({
        timeout: 60_000,
      });
    }
    await expectPage(pool(page, 'Gulp Tank')).toContainText('0 GULP');
    await pool(page, 'Shallows').getByText('History').click();
    await expectPage(pool(page, 'Shallows').getByRole('img', { name: /all of them covered/ })).toBeVisible();
    expect(loaded.filter((url) => /arena|Renderer|socket\.io|agar_game/.test(url))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  test('a player sets a limit, meets it, asks for more and takes a break', async () => {
    const { page } = await signUp(browser, engulf);
    await page.getByRole('button', { name: 'Limits' }).click();
    const sol = page.getByRole('textbox', { name: 'Daily limit in SOL' });
    await sol.fill('0.02');
    await sol.press('Enter');
    await expectPage(page.getByText('Limit saved')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();

    await lobbyRow(page, 'Shallows').getByRole('button', { name: 'Pay & Play' }).click();
    const pay = page.getByRole('dialog').getByRole('button', { name: 'Pay & Play' });
    await closeGuide(page, pay);
    await pay.click();
    const text = 'This entry costs more than the 0.02 SOL you allow yourself in 24 hours.';
    await expectPage(page.getByText(text)).toBeVisible();
    await page.getByRole('button', { name: 'See your limits' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await expectPage(page.getByText(/From .*: No limit/)).toBeVisible();
    await expectPage(sol).toHaveValue('0.02');

    await page.getByRole('textbox', { name: 'Days' }).fill('2');
    await page.getByRole('button', { name: 'Take a break' }).click();
    await page.getByRole('button', { name: 'Yes, 2 days' }).click();
    await expectPage(page.getByText(/You are taking a break until/)).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await lobbyRow(page, 'Gulp Tank').getByRole('button', { name: 'Pay & Play' }).click();
    await pay.click();
    await expectPage(page.getByText(/You asked for a break from paid lobbies/)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await enterLobby({ page }, 'Primordial');
    await page.context().close();
  });

  test('what a player does in a game for money is signed by the page, and the room records that', async () => {
    const { page } = await signUp(browser, engulf);
    await enterLobby({ page }, 'The Deep');
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('receipts') ?? '[]')[0]);
    for (let turn = 0; (await kept())?.statements === undefined; turn++) {
      await page.mouse.move(600 + 300 * Math.cos(turn / 3), 400 + 300 * Math.sin(turn / 3));
      if (turn % 10 === 5) await page.keyboard.press('Space');
      await page.waitForTimeout(100);
    }
    const { matchId, statements } = await kept();
    await expectPage
      .poll(() => recordedStatements(engulf, matchId), { timeout: 30_000 })
      .toContain(statements[0].signature);
    await page.context().close();
  });

  test('the page shows what a player is owed, and that money was taken past the books', async () => {
    const { page } = await signUp(browser, engulf);
    await enterLobby({ page }, 'Shallows');
    const watcher = await openPage(browser, { ...engulf, url: 'about:blank' });
    await watcher.clock.install();
    await watcher.goto(`${engulf.url}/solvency`);
    const shallows = pool(watcher, 'Shallows');
    await expectPage(shallows.getByText('to 1 person')).toBeVisible();
    await expectPage(shallows).toContainText('0.0475 SOL');
    await expectPage(shallows).toContainText('to the last unit');

    const { programId } = await getJson<{ programId: string }>(watcher, '/api/config');
    const keys = await loadOrCreateKeys(join(engulf.dataDir, 'chain', 'keys'));
    await robPool({
      rpc: createSolanaRpc(engulf.rpcUrl),
      programId: address(programId),
      superAdmin: keys['super-admin'],
      chainLobbyId: 1n,
      thief: (await generateKeyPairSigner()).address,
      amount: 10_000_000n,
    });
    await expectPage(shallows.getByText('Not covered').first()).toBeVisible();
    await expectPage(shallows).toContainText('0.01 SOL is missing');
    await expectPage(pool(watcher, 'All lobbies').getByText('Not covered')).toBeVisible();
    await expectPage(pool(watcher, 'The Deep').getByText('Covered', { exact: true })).toBeVisible();

    // The server dies: the figures stay, but are no longer called current.
    await engulf.kill();
    await expectPage(watcher.getByText(/The server does not answer/)).toBeVisible();
    await watcher.clock.fastForward(90_000);
    await expectPage(shallows.getByText(/Not read since/)).toBeVisible();
    await page.context().close();
  });
});
