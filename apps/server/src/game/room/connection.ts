import { type Client, ClientState, CloseCode } from '@colyseus/core';
import type { RoomServerMessageType, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { BACKLOG } from './room-limits.ts';

/** One socket to one person. */
export type Connection = {
  send<Type extends RoomServerMessageType>(type: Type, payload: RoomServerPayload<Type>): void;
  sendState(type: string, bytes: Uint8Array): void;
  /**
   * False while the other side is not ready or does not keep up: then it gets fewer updates. One that falls
   * hopelessly behind is cut off before it eats up the memory; its owner may come back.
   */
  canTakeState(): boolean;
  /** Says why, then closes for good. */
  kick(reason: string): void;
};

export function connectionOf(client: Client): Connection {
  // Colyseus types the socket as a plain event emitter; with the WebSocket transport it is one of `ws`.
  const socket = client.ref as unknown as { readonly bufferedAmount: number; terminate(): void };
  return {
    send: (type, payload) => client.send(type, payload),
    sendState: (type, bytes) => client.sendBytes(type, bytes),
    canTakeState: () => {
      if (socket.bufferedAmount > BACKLOG.dropBytes) socket.terminate();
      return client.state === ClientState.JOINED && socket.bufferedAmount <= BACKLOG.holdBytes;
    },
    kick: (reason) => {
      client.send('kicked', { reason });
      client.leave(CloseCode.WITH_ERROR, reason);
    },
  };
}
