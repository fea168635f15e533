import { Client, type Room } from '@colyseus/sdk';
import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import { type JoinOptions, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { changeLeaderboard, type RoomLeaderboard } from '@engulf/protocol/room/room-leaderboard';
import {
  type LiveUpdate,
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
  STATE_MESSAGES,
} from '@engulf/protocol/room/server-messages';
import {
  type ClientMessage,
  sendToRoom,
  serverTypeNumber,
  unpackPayload,
} from '@engulf/protocol/room/wire-types';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { GameLobby } from '../ports.ts';
import type { ArenaServer } from './arena-server.ts';
import { issueTicket, newWatcherCookie } from './memory-ports.ts';

/** A real client of a real room. It validates every message it gets. */
export type ArenaClient = {
  readonly room: Room;
  send(...message: ClientMessage): void;
  readonly decoder: ArenaDecoder;
  readonly received: { readonly type: RoomServerMessageType; readonly payload: unknown }[];
  readonly stateTypes: string[];
  closeCode: number | undefined;
};

const PLAYER_STATES = Object.values(STATE_MESSAGES.player);
const SPECTATOR_STATES = Object.values(STATE_MESSAGES.spectator);

/** A new entry, joined and spawned. */
export async function enter(server: ArenaServer, lobby: GameLobby) {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const client = await joinWithTicket(server, lobby, ticket);
  sendSpawn(client);
  await server.until(() => client.decoder.view.own !== undefined);
  return { client, seat };
}

export function joinWithTicket(server: ArenaServer, lobby: GameLobby, joinTicket: string) {
  return join(server, { type: 'player', lobbyId: lobby.id, joinTicket, protocolVersion: PROTOCOL_VERSION });
}

export function spectate(
  server: ArenaServer,
  lobby: GameLobby,
  cookie = newWatcherCookie(),
  more: { readonly lobbyCode?: string } = {},
) {
  const options = {
    type: 'spectator',
    lobbyId: lobby.id,
    protocolVersion: PROTOCOL_VERSION,
    ...more,
  } as const;
  return join(server, options, cookie);
}

export async function join(
  { url }: ArenaServer,
  options: JoinOptions | Record<string, unknown>,
  cookie = '',
): Promise<ArenaClient> {
  const sdk = new Client(url, { headers: { cookie } });
  return follow(await sdk.joinOrCreate(ROOM_NAME, options));
}

export function follow(room: Room): ArenaClient {
  const client: ArenaClient = {
    room,
    send: (...message) => sendToRoom(room, ...message),
    decoder: createArenaDecoder(),
    received: [],
    stateTypes: [],
    closeCode: undefined,
  };
  room.reconnection.enabled = false;
  room.onLeave((code) => {
    client.closeCode = code;
  });
  let leaderboard: RoomLeaderboard | undefined;
  for (const type of Object.keys(ROOM_SERVER_MESSAGES) as RoomServerMessageType[]) {
    room.onMessage(serverTypeNumber(type), (packed) => {
      const payload = unpackPayload(type, packed);
      if (!payload) throw new Error(`The room sent a ${type} that cannot be read`);
      client.received.push({ type, payload });
      if (type === 'leaderboard') leaderboard = payload as RoomLeaderboard;
      if (type !== 'leaderboardChange') return;
      leaderboard = changeLeaderboard(leaderboard!, payload as RoomServerPayload<'leaderboardChange'>)!;
      client.received.push({ type: 'leaderboard', payload: leaderboard });
    });
  }
  for (const type of [...PLAYER_STATES, ...SPECTATOR_STATES]) {
    room.onMessage(serverTypeNumber(type), (bytes: Uint8Array) => {
      client.stateTypes.push(type);
      if (decodeUpdate(client.decoder, bytes) === 'needsFull') client.send('fullUpdate');
    });
  }
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

/** Breaks the connection without a goodbye, as a failing network does. Returns the token to reconnect with. */
export async function dropConnection({ room }: Pick<ArenaClient, 'room'>): Promise<string> {
  const { reconnectionToken } = room;
  const { ws } = room.connection.transport as unknown as { ws: WebSocket };
  const closed = new Promise((resolve) => ws.addEventListener('close', resolve));
  ws.close();
  await closed;
  return reconnectionToken;
}

/** Comes back as the page does: on a new socket, without asking for another seat. */
export async function reconnect(
  { url }: ArenaServer,
  { room: { roomId, sessionId } }: ArenaClient,
  token: string,
): Promise<ArenaClient> {
  const [, reconnectionToken] = token.split(':');
  const seat = {
    name: ROOM_NAME,
    roomId,
    sessionId,
    processId: 'any',
    reconnectionToken: reconnectionToken!,
  };
  return follow(await new Client(url).consumeSeatReservation(seat));
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
