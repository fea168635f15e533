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

/** Whether the player or the system asks for less motion. */
export function prefersReducedMotion(): boolean {
  return settings.read('reducedMotion') || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
