import type { ArenaVisit } from './arena-visit.ts';
import type { ArenaEvents } from './net/events.ts';

/** While money is at stake, the browser asks before it closes or reloads the page. Returns a function that stops it. */
export function guardUnload(visit: ArenaVisit, events: ArenaEvents): () => void {
  if (visit.type === 'spectator' || visit.lobby.lobbyType === 'free') return () => {};
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  const release = () => window.removeEventListener('beforeunload', ask);
  const unsubscribe = events.subscribe(({ type }) => {
    if (type === 'joined') window.addEventListener('beforeunload', ask);
    else if (type === 'gameOver' || type === 'disconnected' || type === 'left') release();
  });
  return () => {
    unsubscribe();
    release();
  };
}
