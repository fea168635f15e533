import { Client } from '@colyseus/sdk';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { GameLobby } from '../ports.ts';
import type { ArenaServer } from './arena-server.ts';
import { issueTicket } from './memory-ports.ts';

/** A socket with a seat in a room that speaks only when the test tells it to, not even to acknowledge the join. */
export type RawClient = {
  readonly received: Uint8Array[];
  closeCode: number | undefined;
  send(...bytes: number[]): void;
};

/** Connects with a valid ticket and waits until the room has answered with its seat. */
export async function connectRaw(server: ArenaServer, lobby: GameLobby): Promise<RawClient> {
  const { ticket } = issueTicket(server.ports, lobby);
  const options = {
    type: 'player',
    lobbyId: lobby.id,
    joinTicket: ticket,
    protocolVersion: PROTOCOL_VERSION,
  };
  const { http } = new Client(server.url);
  const { data } = await http.post(
    `/matchmake/joinOrCreate/${ROOM_NAME}` as '/',
    { body: options } as object,
  );
  const { roomId, sessionId } = data as unknown as { roomId: string; sessionId: string };
  const socket = new WebSocket(`${server.url}/any/${roomId}?sessionId=${sessionId}`);
  socket.binaryType = 'arraybuffer';
  const client: RawClient = {
    received: [],
    closeCode: undefined,
    send: (...bytes) => socket.send(Uint8Array.from(bytes)),
  };
  socket.addEventListener('close', ({ code }) => {
    client.closeCode = code;
  });
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data: bytes }) => {
      client.received.push(new Uint8Array(bytes));
      resolve();
    });
    socket.addEventListener('close', () => resolve());
  });
  return client;
}
