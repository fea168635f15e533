import type { ArenaEvent, ArenaEvents } from '../net/events.ts';
import { ARENA_TEXT } from '../text.ts';

const ALARM_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#ff4b33"/><path d="M16 7v11M16 23v2" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>',
)}`;

/** Shown when nothing counts down. */
const CALMING: ReadonlySet<ArenaEvent['type']> = new Set(['countdown', 'disconnected', 'gameOver']);

/** A hidden tab can only be seen by its title and icon: they count down. Returns a function that stops. */
export function raiseTabAlarm(events: ArenaEvents): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const calm = { title: document.title, icon: icon?.href };
  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'countdown' && event.countdown?.kind === 'hidden') {
      document.title = ARENA_TEXT.tab.title(event.countdown.secondsLeft);
      if (icon) icon.href = ALARM_ICON;
    } else if (CALMING.has(event.type)) calmDown();
  });
  return () => {
    unsubscribe();
    calmDown();
  };

  function calmDown(): void {
    document.title = calm.title;
    if (icon && calm.icon !== undefined) icon.href = calm.icon;
  }
}
