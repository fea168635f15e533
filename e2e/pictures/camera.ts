import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

export type Camera = {
  /** Waits for fonts and images, and finishes every animation first. */
  shoot(page: Page, name: string, settleMs?: number): Promise<void>;
  /** Shoots at once, in the middle of animations. */
  snap(page: Page, name: string): Promise<void>;
  /** Shoots in several window sizes, each named by its size; returns to the first. */
  shootSizes(page: Page, name: string, sizes: readonly (readonly [number, number])[]): Promise<void>;
};

/** Long enough for a popup to open and for canvases to be painted. */
const SETTLE_MS = 600;

type Film = {
  readonly format: 'png' | 'jpeg';
  /** Takes only these pictures, each with its file name. */
  readonly only?: Readonly<Record<string, string>>;
};

export function createCamera(folder: string, { format, only }: Film): Camera {
  mkdirSync(folder, { recursive: true });
  const startedAt = performance.now();

  const fileOf = (name: string) => (only ? only[name] : name);

  async function shoot(page: Page, name: string, settleMs = SETTLE_MS): Promise<void> {
    if (fileOf(name) === undefined) return;
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.waitForTimeout(settleMs);
    await take(page, name, 'disabled');
  }

  async function take(page: Page, name: string, animations: 'disabled' | 'allow'): Promise<void> {
    const base = fileOf(name);
    if (base === undefined) return;
    const file = `${base}.${format === 'jpeg' ? 'jpg' : format}`;
    await page.screenshot({
      path: join(folder, file),
      type: format,
      ...(format === 'jpeg' && { quality: 84 }),
      animations,
      caret: 'hide',
    });
    console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${file}`);
  }

  return {
    shoot,
    snap: (page, name) => take(page, name, 'allow'),
    async shootSizes(page, name, sizes) {
      if (only) return;
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await shoot(page, `${name}-${width}x${height}`);
      }
      const [width, height] = sizes[0]!;
      await page.setViewportSize({ width, height });
    },
  };
}

/**
 * Makes the page draw only two frames a second. Without a graphics card the arena would otherwise drop detail to keep up
 * with sixty.
 */
export async function slowShutter(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 450);
    window.cancelAnimationFrame = (frame) => window.clearTimeout(frame);
  });
}
