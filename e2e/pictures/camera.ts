import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Looks at screens: with a lens, or with rules of accessibility. */
export type Camera = {
  /** A screen that stands still. Waits for fonts and images, and finishes every animation first. */
  shoot(page: Page, name: string, options?: ShootOptions): Promise<void>;
  /** Shoots at once, in the middle of animations, and in the window as it is. */
  snap(page: Page, name: string): Promise<void>;
};

type ShootOptions = {
  readonly settleMs?: number;
  /** For pages that have one look only. */
  readonly themes?: readonly Theme[];
};

export type Theme = (typeof THEMES)[number];
export const THEMES = ['dark', 'light'] as const;

const WINDOWS = [
  [1100, 620],
  [1280, 720],
  [1920, 1080],
  [2560, 1440],
] as const;

/** Long enough for a popup to open and for canvases to be painted. */
const SETTLE_MS = 500;
/** For the colours of another theme. */
const THEME_MS = 150;

/** Takes each picture in every window size and theme, as name-width-theme.png. */
export function createCamera(folder: string): Camera {
  mkdirSync(folder, { recursive: true });
  const startedAt = performance.now();

  async function take(page: Page, file: string, animations: 'disabled' | 'allow'): Promise<void> {
    await page.screenshot({ path: join(folder, `${file}.png`), animations, caret: 'hide' });
    console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${file}`);
  }

  return {
    async shoot(page, name, { settleMs = SETTLE_MS, themes = THEMES } = {}) {
      const before = page.viewportSize()!;
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(settleMs);
        for (const theme of themes) {
          await setTheme(page, theme);
          await page.waitForTimeout(THEME_MS);
          await take(page, `${name}-${width}-${theme}`, 'disabled');
        }
        await setTheme(page, 'dark');
      }
      await page.setViewportSize(before);
    },
    snap: (page, name) => take(page, name, 'allow'),
  };
}

/** Takes only the named pictures, as JPEG files with other names, in the window as it is. */
export function createDocsCamera(folder: string, files: Readonly<Record<string, string>>): Camera {
  const take = async (page: Page, name: string, settleMs: number) => {
    const file = files[name];
    if (file === undefined) return;
    await page.waitForTimeout(settleMs);
    await page.screenshot({
      path: join(folder, `${file}.jpg`),
      type: 'jpeg',
      quality: 84,
      animations: settleMs > 0 ? 'disabled' : 'allow',
      caret: 'hide',
    });
    console.log(`  ${file}.jpg`);
  };
  return {
    shoot: (page, name, { settleMs = SETTLE_MS } = {}) => take(page, name, settleMs),
    snap: (page, name) => take(page, name, 0),
  };
}

export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
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
  // Which the page would complain about.
  await page.addStyleTag({ content: ':has(> .lucide-gauge + [role="status"]) { display: none }' });
}
