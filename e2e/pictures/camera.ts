import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

export type Camera = {
  /** Takes the page once its letters and pictures are there, with every animation at its end. */
  shoot(page: Page, name: string, settleMs?: number): Promise<void>;
  /** Takes the page in the middle of its animations. */
  snap(page: Page, name: string): Promise<void>;
  /** The same page in windows of several sizes, each named by its size; the first one stays. */
  shootSizes(page: Page, name: string, sizes: readonly (readonly [number, number])[]): Promise<void>;
};

/** Long enough for a popup to come in and for the art on canvases to be painted. */
const SETTLE_MS = 600;

export type Film = {
  readonly format: 'png' | 'jpeg';
  /** The only pictures to take, each with the name of its file. */
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
 * Has the page draw a frame only now and then. A machine without a graphics card then still shows the arena in full
 * detail, which it would drop to keep up with sixty frames a second.
 */
export async function slowShutter(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 450);
    window.cancelAnimationFrame = (frame) => window.clearTimeout(frame);
  });
}
