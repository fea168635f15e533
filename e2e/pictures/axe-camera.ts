import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Camera, setTheme, THEMES } from './camera.ts';

/** The same screens with other data. */
const ALIKE = new Set([
  'menu-semi-private',
  'lobby-list-private',
  'menu-own-photo',
  'entry-sol',
  'entry-semi-private',
]);

/** Looks at each screen with axe instead of a lens, in both themes, and keeps what it objects to. */
export function createAxeCamera(): Camera & { readonly flaws: string[]; readonly seen: string[] } {
  const flaws: string[] = [];
  const seen: string[] = [];
  return {
    flaws,
    seen,
    async shoot(page, name, { themes = THEMES } = {}) {
      if (ALIKE.has(name)) return;
      seen.push(name);
      if (await isTooWide(page)) flaws.push(`${name}: wider than its window`);
      for (const text of await smallTexts(page)) flaws.push(`${name}: too small to read: ${text}`);
      for (const [index, theme] of themes.entries()) {
        await setTheme(page, theme);
        await finishAnimations(page);
        // The outline of large letters, which it takes for their colour, is as dark as what is behind them.
        const axe = new AxeBuilder({ page }).exclude('canvas').exclude('h1 > [aria-hidden="true"]');
        // Another theme changes nothing but the colours.
        const { violations } = await (index === 0 ? axe : axe.withRules('color-contrast')).analyze();
        for (const { id, impact, nodes } of violations) {
          if (impact !== 'serious' && impact !== 'critical') continue;
          flaws.push(`${name}, ${theme}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
        }
      }
      await setTheme(page, 'dark');
    },
    async snap(page, name) {
      if (await isTooWide(page)) flaws.push(`${name}: wider than its window`);
    },
  };
}

function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

const SMALL_WINDOW = { width: 1280, height: 720 };
const MIN_TEXT_PX = 11;

/** Texts under the smallest size of the identity, in a window where panels and popups are zoomed out. */
async function smallTexts(page: Page): Promise<string[]> {
  const before = page.viewportSize()!;
  await page.setViewportSize(SMALL_WINDOW);
  const texts = await page.evaluate((minPx) => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim();
      // The map's drawing has units of its own.
      if (!element?.checkVisibility() || !text || element.closest('svg, style, script')) continue;
      const { width } = element.getBoundingClientRect();
      const px = Number.parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom;
      // What is there only for screen readers takes up a pixel.
      if (width > 1 && px < minPx - 0.05) found.add(`${text} (${px.toFixed(1)} px)`);
    }
    return [...found];
  }, MIN_TEXT_PX);
  await page.setViewportSize(before);
  return texts;
}

/** Text that is still fading in has no contrast yet. */
async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish();
    }
  });
}
