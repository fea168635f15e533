import { keepMatch, keepReceipt } from '../../shared/kept-receipts.ts';
import type { ArenaEvents } from './net/events.ts';

/** Keeps what the room promises, for Verify. Returns a function that stops. */
export function keepReceipts(events: ArenaEvents): () => void {
  let matchId: string | undefined;
  return events.subscribe((event) => {
    if (event.type === 'welcome') {
      matchId = event.payload.matchId;
      if (!event.payload.isFreeLobby) keepMatch(matchId, event.payload.commitment);
    } else if (event.type === 'receipt' && matchId !== undefined) {
      keepReceipt(matchId, event.payload);
    }
  });
}
