import { type Browser, expect, type Page } from '@playwright/test';
import type { Engulf } from './engulf.ts';

/** A person at a browser: one page, one wallet of its own. */
export type Player = {
  readonly page: Page;
  readonly wallet: string;
  readonly name: string;
};

const SCREEN = { width: 1280, height: 800 };

export async function openPage(browser: Browser, { url }: Engulf, screen = SCREEN): Promise<Page> {
  const context = await browser.newContext({ viewport: screen, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Connects the burner wallet, signs in and unlocks the beta with the printed access code. */
export async function signUp(browser: Browser, engulf: Engulf, screen = SCREEN): Promise<Player> {
  const page = await openPage(browser, engulf, screen);
  await page.getByRole('button', { name: 'Connect wallet' }).first().click();
  await page.getByRole('button', { name: /Burner/ }).click();
  await page.getByRole('button', { name: 'Enter referral code' }).click();
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

/** Goes from the menu into the arena; a paid lobby is paid by the burner wallet on the way. */
export async function enterLobby({ page }: Pick<Player, 'page'>, lobby: string): Promise<void> {
  await lobbyRow(page, lobby)
    .getByRole('button', { name: /^(Play|Pay & Play)$/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Play Now|Pay & Play)$/ })
    .click();
  await untilSpawned(page);
}

/** The arena is there, the debug panel is open and the own body is in it. */
export async function untilSpawned(page: Page): Promise<void> {
  await expect(page.getByText('Live TVL')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Initializing Game...')).toBeHidden({ timeout: 60_000 });
  await page.keyboard.press('F3');
  await expect.poll(async () => (await readSelf(page)).mass, { timeout: 30_000 }).toBeGreaterThan(0);
}

export type Self = {
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly ownCells: number;
};

/** What the debug panel says of the own body; mass 0 while there is none. */
export async function readSelf(page: Page): Promise<Self> {
  const figure = (label: string) =>
    page
      .locator('dt', { hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]')
      .innerText();
  const [x = 0, y = 0] = (await figure('Position')).split(',').map((part) => Number.parseFloat(part) || 0);
  return { x, y, mass: Number(await figure('Mass')) || 0, ownCells: Number(await figure('Own cells')) || 0 };
}

/** Points the mouse from the middle of the screen into a direction of the world, far enough for full speed. */
export async function steer(page: Page, dx: number, dy: number): Promise<void> {
  const length = Math.hypot(dx, dy) || 1;
  const { width, height } = page.viewportSize() ?? SCREEN;
  await page.mouse.move(width / 2 + (dx / length) * 250, height / 2 + (dy / length) * 250);
}

/** Steers towards a point, chosen anew from where one is, until the condition holds. */
export async function steerUntil(
  page: Page,
  target: (self: Self) => { readonly x: number; readonly y: number },
  isDone: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('Steering did not get there in time');
    const self = await readSelf(page);
    const there = target(self);
    await steer(page, there.x - self.x, there.y - self.y);
    await page.waitForTimeout(100);
  }
}

/** Asks the server as the page would, cookie included. */
export async function getJson<Answer>(page: Page, path: string): Promise<Answer> {
  return page.evaluate(async (url) => (await fetch(url)).json(), path) as Promise<Answer>;
}

export type HistoryRow = {
  readonly amount: string;
  readonly isRefund: boolean;
  readonly status: string;
  readonly txnHash: string | null;
};

/** Waits until every payout of the player is on the chain, and returns them. */
export async function settledHistory({ page }: Player, rows: number): Promise<HistoryRow[]> {
  let history: HistoryRow[] = [];
  await expect
    .poll(
      async () => {
        const answer = await getJson<{ data: { data: HistoryRow[] } }>(
          page,
          '/api/dashboard/games_history?page=1',
        );
        history = answer.data.data;
        return history.filter(({ status }) => status === 'completed').length;
      },
      { timeout: 90_000, intervals: [500] },
    )
    .toBe(rows);
  return history;
}
