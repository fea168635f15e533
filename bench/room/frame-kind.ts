import { Protocol } from '@colyseus/sdk';
import { serverTypeOf } from '@engulf/protocol/room/wire-types';

/** The name of the message in a frame from the room. */
export function kindOfFrame(frame: Uint8Array): string {
  if (frame[0] !== Protocol.ROOM_DATA && frame[0] !== Protocol.ROOM_DATA_BYTES) return 'other';
  return serverTypeOf(frame[1]) ?? 'other';
}
