import type { Browser, Locator, Page } from '@playwright/test';
import type { Engulf } from './engulf.ts';
import { expect } from './expect.ts';
import { readSelf } from './steering.ts';

/** A player in a browser: one page with its own wallet. */
export type Player = {
  readonly page: Page;
  readonly wallet: string;
  readonly name: string;
};

const SCREEN = { width: 1280, height: 800 };

export async function openPage(browser: Browser, { url }: Engulf, screen = SCREEN): Promise<Page> {
  const context = await browser.newContext({ viewport: screen, reducedMotion: 'reduce' });
  await context.addInitScript(drawFewerFrames);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** In the page: Chromium draws in software here, and sixty pictures of an arena a second take a core. */
function drawFewerFrames(): void {
  const FRAME_MS = 120;
  window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), FRAME_MS);
  window.cancelAnimationFrame = (request) => window.clearTimeout(request);
}

/** Connects the burner wallet, signs in and unlocks access with the printed code. */
export async function signUp(browser: Browser, engulf: Engulf, screen = SCREEN): Promise<Player> {
  const page = await openPage(browser, engulf, screen);
  await page.getByRole('button', { name: 'Connect wallet' }).first().click();
  await page.getByRole('button', { name: /Burner/ }).click();
  await page.getByRole('button', { name: 'Enter access code' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(engulf.accessCode);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('button', { name: 'Pick a lobby' }).click();
  const { user } = await getJson<{ user: { walletAddress: string; name: string } }>(
    page,
    '/api/auth/profile',
  );
  return { page, wallet: user.walletAddress, name: user.name };
}

export function lobbyRow(page: Page, lobby: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: lobby }) });
}

/** Goes from the menu into the arena; the burner wallet pays for a paid lobby. */
export async function enterLobby({ page }: Pick<Player, 'page'>, lobby: string): Promise<void> {
  await pressPlay(page, lobby);
  await waitForSpawn(page);
}

/** From the menu through the entry popup. */
export async function pressPlay(page: Page, lobby: string): Promise<void> {
  await lobbyRow(page, lobby)
    .getByRole('button', { name: /^(Play|Pay & Play): / })
    .click();
  const enter = page.getByRole('dialog').getByRole('button', { name: /^(Play Now|Pay & Play)$/ });
  await closeGuide(page, enter);
  await enter.click();
}

/**
 * Tries to enter while the room does not answer, until the page offers a way back. Returns a function that opens the door
 * and decides whether the room hears of those who wait there; it resolves when the room has answered.
 */
export async function waitAtTheDoor(page: Page, lobby: string) {
  const waiting: { letIn(): Promise<unknown>; turnAway(): Promise<void> }[] = [];
  let isOpen = false;
  await page.routeWebSocket(/\/agar_game\?/, (socket) => {
    const server = socket.connectToServer();
    if (isOpen) return;
    const frames: (string | Buffer)[] = [];
    socket.onMessage((frame) => {
      if (isOpen) server.send(frame);
      else frames.push(frame);
    });
    waiting.push({
      letIn: () =>
        new Promise((resolve) => {
          server.onMessage((frame) => {
            socket.send(frame);
            resolve(frame);
          });
          for (const frame of frames) server.send(frame);
        }),
      turnAway: () => socket.close(),
    });
  });
  await pressPlay(page, lobby);
  await expect(page.getByText('Initializing Game...')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back to menu' })).toBeVisible();
  return async (fate: 'turnAway' | 'letIn' = 'turnAway') => {
    isOpen = true;
    for (const visitor of waiting) await visitor[fate]();
  };
}

/** The guide opens by itself the first time somebody plays, before `next` is there. */
export async function closeGuide(page: Page, next: Locator): Promise<void> {
  const guide = page.getByRole('button', { name: 'Got it' });
  await expect(guide.or(next)).toBeVisible();
  if (await guide.isVisible()) await guide.click();
}

/** Waits until the player has a body in the arena, and opens the debug panel that `readSelf` reads. */
export async function waitForSpawn(page: Page): Promise<void> {
  // The arena of a life that is over stays until the next one is there.
  await expect(page.getByRole('button', { name: 'Play Again' })).toBeHidden();
  // Who watched has a view of the arena, but no body in it yet.
  await expect(page.getByText('Spectator Mode')).toBeHidden();
  await expect(page.getByText('Live TVL'))
    .toBeVisible()
    .catch(async (error: unknown) => {
      const shown = await page.locator('body').innerText();
      throw new Error(`The arena did not open. The page said:\n${shown}`, { cause: error });
    });
  await expect(page.getByText('Initializing Game...')).toBeHidden();
  await page.keyboard.press('F3');
  await expect.poll(async () => (await readSelf(page)).mass).toBeGreaterThan(0);
}

/** Closes the debug panel. */
export async function hideDebug(page: Page): Promise<void> {
  const panel = page.getByText('Frame time');
  await expect(async () => {
    // A focused button would take the key.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    if (await panel.isVisible()) await page.keyboard.press('F3');
    await expect(panel).toBeHidden({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}

/** Calls the API from the page, with its cookie. */
export async function getJson<Answer>(page: Page, path: string): Promise<Answer> {
  return page.evaluate(async (url) => (await fetch(url)).json(), path) as Promise<Answer>;
}

type HistoryRow = {
  readonly amount: string;
  readonly isRefund: boolean;
  readonly isPlayMoney: boolean;
  readonly status: string;
  readonly txnHash: string | null;
};

/** Waits until that many payouts of the player are on the chain, and returns them. */
export async function settledHistory({ page }: Player, rows: number): Promise<HistoryRow[]> {
  let history: HistoryRow[] = [];
  await expect
    .poll(
      async () => {
        const answer = await getJson<{ data: { data: HistoryRow[] } }>(
          page,
          '/api/dashboard/games_history?page=1',
        );
        history = answer.data.data.filter(({ isPlayMoney }) => !isPlayMoney);
        return history.filter(({ status }) => status === 'completed').length;
      },
      { timeout: 300_000, intervals: [500] },
    )
    .toBe(rows);
  return history;
}
