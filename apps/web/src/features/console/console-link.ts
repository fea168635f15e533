import { CONSOLE_VIEWS, type ConsoleView } from '@engulf/protocol/http/console';
import { useSyncExternalStore } from 'react';

/** Where in the console somebody is. All of it is in the address, so that it can be sent to a colleague. */
export type ConsoleLink = {
  readonly view: ConsoleView;
  readonly id?: string;
  readonly q?: string;
  readonly before?: string;
  readonly range?: 'day' | 'month';
};

export function readLink(search: string): ConsoleLink {
  const values = new URLSearchParams(search);
  const view = CONSOLE_VIEWS.find((name) => name === values.get('view')) ?? 'now';
  const [id, q, before, range] = ['id', 'q', 'before', 'range'].map((name) => values.get(name) || undefined);
  return {
    view,
    ...(id && { id }),
    ...(q && { q }),
    ...(before && { before }),
    ...((range === 'day' || range === 'month') && { range }),
  };
}

export function linkText(link: ConsoleLink): string {
  return `?${new URLSearchParams(Object.entries(link))}`;
}

const listeners = new Set<() => void>();

export function follow(search: string, isReplaced = false): void {
  if (isReplaced) history.replaceState(null, '', search);
  else history.pushState(null, '', search);
  for (const listener of listeners) listener();
}

export function useSearch(): string {
  return useSyncExternalStore(subscribe, () => window.location.search);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}
