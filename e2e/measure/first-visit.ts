import { type Browser, expect, type Locator } from '@playwright/test';
import { lobbyRow } from '../player.ts';
import { readSelf, steer } from '../steering.ts';

/** What stands between somebody who has never been here and a cell that moves. */
type FirstVisit = {
  /** From the address to the first cell that has moved, by a hand that needs no time of its own. */
  readonly movingMs: number;
  /** Besides the one for the access code. */
  readonly clicks: number;
};

const LOBBY = 'Primordial';
const MOVED_UNITS = 5;

/** A wallet that is new, the code, and a free lobby. */
export async function timeFirstVisit(
  browser: Browser,
  { url, accessCode }: { readonly url: string; readonly accessCode: string },
): Promise<FirstVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks++;
    await target.click();
  };
  try {
    const startedMs = performance.now();
    await page.goto(url);
    await click(lobbyRow(page, LOBBY).getByRole('button', { name: /^Connect/ }));
    await click(page.getByRole('button', { name: /Burner/ }));
    const popup = page.getByRole('dialog');
    await popup.getByRole('textbox').fill(accessCode);
    await popup.getByRole('button', { name: 'Unlock' }).click();
    await click(popup.getByRole('button', { name: 'Got it' }));
    await click(popup.getByRole('button', { name: 'Play Now' }));
    await expect(page.getByText('Live TVL')).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press('F3');
    await steer(page, 1, 1);
    await expect.poll(async () => (await readSelf(page)).mass, { intervals: [20] }).toBeGreaterThan(0);
    const { x, y } = await readSelf(page);
    const moved = async () => {
      const self = await readSelf(page);
      return Math.hypot(self.x - x, self.y - y);
    };
    await expect.poll(moved, { intervals: [20] }).toBeGreaterThan(MOVED_UNITS);
    return { movingMs: Math.round(performance.now() - startedMs), clicks };
  } finally {
    await context.close();
  }
}
