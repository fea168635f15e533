import type { Room } from '@colyseus/sdk';
import { sendToRoom, serverTypeOf, unpackPayload } from '@engulf/protocol/room/wire-types';

/*
 * After the end of a game its connection is kept for a while. Who plays again in the same lobby takes the next seat on
 * it, which saves the half dozen round trips of another connection.
 */

/** Which room a connection leads to. */
export type Place = { readonly endpoint: string; readonly lobbyId: string };

/** The server keeps it as long. */
const KEPT_MS = 30_000;
/** A line that died meanwhile gives no answer, and a new connection is made soon enough. */
const ANSWER_WITHIN_MS = 2_500;

let kept: { readonly place: Place; readonly room: Room; readonly timer: number } | undefined;

/** Keeps the room in place of another one. Nobody listens to it any more. */
export function keepFinished(place: Place, room: Room): void {
  closeFinished();
  room.removeAllListeners();
  room.reconnection.enabled = false;
  room.onMessage('*', () => {});
  room.onLeave(() => {
    if (kept?.room === room) forget();
  });
  kept = { place, room, timer: window.setTimeout(closeFinished, KEPT_MS) };
}

/** The room that was kept for this place, if it is still open. Any other is closed. */
export function takeFinished({ endpoint, lobbyId }: Place): Room | undefined {
  const isHere = kept?.place.endpoint === endpoint && kept.place.lobbyId === lobbyId;
  if (!kept || !isHere || !kept.room.connection.isOpen) {
    closeFinished();
    return undefined;
  }
  const { room } = kept;
  forget();
  return room;
}

/** Asks for the ticket's seat. Returns null if it was given, the code of an error, or undefined without an answer. */
export function askNextSeat(room: Room, joinTicket: string): Promise<string | null | undefined> {
  const answered = new Promise<string | null | undefined>((resolve) => {
    room.onMessage('*', (type, payload: unknown) => {
      if (serverTypeOf(type) === 'nextSeat') resolve(unpackPayload('nextSeat', payload)?.error);
    });
    room.onLeave(() => resolve(undefined));
    window.setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
  });
  sendToRoom(room, 'playAgain', { joinTicket });
  return answered.finally(() => room.removeAllListeners());
}

function closeFinished(): void {
  const room = kept?.room;
  forget();
  room?.removeAllListeners();
  if (room?.connection.isOpen) void room.leave();
}

function forget(): void {
  window.clearTimeout(kept?.timer);
  kept = undefined;
}
