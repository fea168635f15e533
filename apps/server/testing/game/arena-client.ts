import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import type { OutgoingMessage } from '@engulf/protocol/room/compact-frames';
import { type Hello, joinOptionsSchema, roomAddress } from '@engulf/protocol/room/join';
import { changeLeaderboard, type RoomLeaderboard } from '@engulf/protocol/room/room-leaderboard';
import { openRoomSocket, type PlainSocket } from '@engulf/protocol/room/room-socket';
import type {
  LiveUpdate,
  RoomServerMessageType,
  RoomServerPayload,
} from '@engulf/protocol/room/server-messages';
import { WebSocket } from 'ws';
import type { GameLobby } from '../../src/game/ports.ts';
import type { ArenaServer } from './arena-server.ts';
import { issueTicket, newWatcherCookie } from './memory-ports.ts';

/** A real client of a real room. */
export type ArenaClient = {
  readonly socket: WebSocket;
  readonly resumeToken: string;
  send(...message: OutgoingMessage): void;
  onMessage(listener: (type: RoomServerMessageType) => void): void;
  /** Takes the seat of another ticket on the same connection. Rejects with the code of the refusal. */
  joinAgain(lobby: GameLobby, joinTicket: string): Promise<void>;
  /** Resolves when the connection is closed. */
  leave(): Promise<void>;
  readonly decoder: ArenaDecoder;
  readonly received: { readonly type: RoomServerMessageType; readonly payload: unknown }[];
  readonly stateTypes: string[];
  closeCode: number | undefined;
};

type Address = Pick<ArenaServer, 'url'>;

const JOIN_WITHIN_MS = 10_000;

/** A new entry, joined and spawned. */
export async function enter(server: ArenaServer, lobby: GameLobby) {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const client = await joinWithTicket(server, lobby, ticket);
  sendSpawn(client);
  await server.until(() => client.decoder.view.own !== undefined);
  return { client, seat };
}

export function joinWithTicket(server: Address, lobby: GameLobby, joinTicket: string) {
  return join(server, { type: 'player', lobbyId: lobby.id, joinTicket });
}

export function spectate(
  server: ArenaServer,
  lobby: GameLobby,
  cookie = newWatcherCookie(),
  more: { readonly lobbyCode?: string } = {},
) {
  return join(server, { type: 'spectator', lobbyId: lobby.id, ...more }, cookie);
}

export function join(server: Address, options: Record<string, unknown>, cookie = ''): Promise<ArenaClient> {
  // What the schema refuses is sent as it is.
  const { data = options } = joinOptionsSchema.safeParse(options);
  return open(server, { type: 'join', options: data } as Hello, cookie);
}

/** Comes back as the page does, on a new socket. */
export function resume(server: Address, token: string): Promise<ArenaClient> {
  return open(server, { type: 'resume', token });
}

export function openSocket({ url }: Address, cookie = '', lobbyId = ''): WebSocket {
  return new WebSocket(roomAddress(url, lobbyId), { headers: { cookie } });
}

/** Rejects with the code of the refusal. */
async function open(server: Address, hello: Hello, cookie = ''): Promise<ArenaClient> {
  const lobbyId = hello.type === 'join' ? hello.options.lobbyId : '';
  const socket = openSocket(server, cookie, lobbyId);
  const opened = await openRoomSocket(socket as unknown as PlainSocket, hello, JOIN_WITHIN_MS);
  if (!opened.ok) throw new Error(opened.error.code);
  let room = opened.value;
  const closed = Promise.withResolvers<void>();
  const listeners: ((type: RoomServerMessageType) => void)[] = [];
  const client: ArenaClient = {
    socket,
    resumeToken: room.resumeToken,
    send: (...message) => void room.send(...message),
    onMessage: (onMessage) => void listeners.push(onMessage),
    joinAgain: async (lobby, joinTicket) => {
      const options = { type: 'player', lobbyId: lobby.id, joinTicket } as const;
      const again = await room.joinAgain(options, JOIN_WITHIN_MS);
      if (again.ok) room = again.value;
      room.listen(listener);
      if (!again.ok) throw new Error(again.error.code);
    },
    leave: () => {
      room.leave();
      return closed.promise;
    },
    decoder: createArenaDecoder(),
    received: [],
    stateTypes: [],
    closeCode: undefined,
  };
  let leaderboard: RoomLeaderboard | undefined;
  const listener: Parameters<typeof room.listen>[0] = {
    onState: (bytes, type) => {
      client.stateTypes.push(type);
      if (decodeUpdate(client.decoder, bytes) === 'needsFull') client.send('fullUpdate');
    },
    onMessage: (message) => {
      client.received.push(message);
      for (const listener of listeners) listener(message.type);
      if (message.type === 'leaderboard') leaderboard = message.payload;
      if (message.type !== 'leaderboardChange') return;
      leaderboard = changeLeaderboard(leaderboard!, message.payload)!;
      client.received.push({ type: 'leaderboard', payload: leaderboard });
    },
    onClosed: (code) => {
      client.closeCode = code;
      closed.resolve();
    },
  };
  room.listen(listener);
  return client;
}

export function sendSpawn(client: ArenaClient): void {
  client.send('spawn', { name: 'wish', screenWidth: 1920, screenHeight: 1080 });
}

export function messagesOf<Type extends RoomServerMessageType>(
  { received }: ArenaClient,
  type: Type,
): RoomServerPayload<Type>[] {
  return received
    .filter((message) => message.type === type)
    .map(({ payload }) => payload as RoomServerPayload<Type>);
}

/** All lines of the live feed that the client was sent. */
export function feedOf(client: ArenaClient): LiveUpdate[] {
  return messagesOf(client, 'liveUpdate').flat();
}

/** Lets game time pass until a message of this type has come, and returns the first one. */
export async function firstMessage<Type extends RoomServerMessageType>(
  server: ArenaServer,
  client: ArenaClient,
  type: Type,
): Promise<RoomServerPayload<Type>> {
  await server.until(() => {
    if (messagesOf(client, type).length === 0) throw new Error(`no ${type} yet`);
  });
  return messagesOf(client, type)[0]!;
}

/** Lets game time pass until the client has been disconnected, and returns the close code. */
export async function closeCodeOf(server: ArenaServer, client: ArenaClient): Promise<number> {
  await server.until(() => client.closeCode !== undefined);
  return client.closeCode!;
}

/** Breaks the connection without a goodbye, as a failing network does. Returns the token to come back with. */
export async function dropConnection({ socket, resumeToken }: ArenaClient): Promise<string> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.terminate();
  await closed;
  return resumeToken;
}

/** Plays until the player has left through a portal, so many times in all. */
export async function leaveThroughPortal(server: ArenaServer, client: ArenaClient, times = 1): Promise<void> {
  await server.until(
    () => {
      if (messagesOf(client, 'gameOver').length !== times) throw new Error('still in the arena');
    },
    () => aimAt(client, client.decoder.view.portals[0]),
  );
}

/**
 * Points at a place, as a player with a mouse would. The target must not depend on the distance: a client that
 * always aims at the nearest of two places can end up moving to and fro between them.
 */
export function aimAt(
  client: ArenaClient,
  target: { readonly x: number; readonly y: number } | undefined,
): void {
  const { own } = client.decoder.view;
  if (!own || !target) return;
  const mass = own.cells.reduce((sum, cell) => sum + cell.mass, 0);
  const x = own.cells.reduce((sum, cell) => sum + cell.x * cell.mass, 0) / mass;
  const y = own.cells.reduce((sum, cell) => sum + cell.y * cell.mass, 0) / mass;
  client.send('movement', { x: target.x - x, y: target.y - y, seq: 0 });
}
