import type { ConsoleView } from '@engulf/protocol/http/console';
import { useEffect } from 'react';
import { follow } from './console-link.ts';

/** Numbers open views, a slash goes to the search, J and K to what can be opened or pressed next and before. */
export function useKeys(views: readonly ConsoleView[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isTyping =
        target instanceof HTMLInputElement || document.querySelector('[role="dialog"]') !== null;
      if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
      const view = /^[1-9]$/.test(key) ? views[Number(key) - 1] : undefined;
      if (view) follow(`?view=${view}`);
      else if (key === '/') document.querySelector<HTMLInputElement>('[type="search"]')?.focus();
      else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [views]);
}

function moveFocus(by: 1 | -1): void {
  const places = [...document.querySelectorAll<HTMLElement>('main :is(a, button)')];
  const at = places.indexOf(document.activeElement as HTMLElement);
  places.at(at === -1 ? 0 : (at + by) % places.length)?.focus();
}
