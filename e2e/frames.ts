import type { Page } from '@playwright/test';

/** Waits until the page has drawn some frames: what it does about an event, it has done by then. */
export async function drawFrames(page: Page, count = 2): Promise<void> {
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
  }, count);
}
