import { fitMenu } from './layout-scale.ts';
import { type Settings, settings } from './settings.ts';

/** Puts theme and motion on the page and keeps them up to date. Returns a function that stops. */
export function applyAppearance(root: HTMLElement, from: Settings = settings): () => void {
  const apply = () => {
    root.dataset['theme'] = from.read('darkMode') ? 'dark' : 'light';
    root.dataset['motion'] = from.read('reducedMotion') ? 'reduced' : 'full';
  };
  apply();
  return from.subscribe(apply);
}

/** Puts the size of the menu on the page, and which of its layouts fit. Returns a function that stops. */
export function applyFit(root: HTMLElement, uiScale = () => settings.read('uiScale')): () => void {
  const apply = () => {
    const { innerWidth: widthPx, innerHeight: heightPx } = window;
    const { scale, fits } = fitMenu({ widthPx, heightPx }, uiScale());
    root.style.setProperty('--menu-scale', String(scale));
    root.dataset['fit'] = fits.join(' ');
  };
  apply();
  window.addEventListener('resize', apply);
  const unsubscribe = settings.subscribe(apply);
  return () => {
    window.removeEventListener('resize', apply);
    unsubscribe();
  };
}

/** Kept, because the arena asks with every frame; it follows the system by itself. */
let systemMotion: MediaQueryList | undefined;

/** Whether the player or the system asks for less motion. */
export function prefersReducedMotion(): boolean {
  systemMotion ??= window.matchMedia('(prefers-reduced-motion: reduce)');
  return settings.read('reducedMotion') || systemMotion.matches;
}
