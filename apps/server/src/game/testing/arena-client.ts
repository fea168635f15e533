import { Client, type Room } from '@colyseus/sdk';
import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { type JoinOptions, ROOM_NAME } from '@engulf/protocol/room/join-options';
import {
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
  STATE_MESSAGES,
} from '@engulf/protocol/room/server-messages';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { vi } from 'vitest';
import type { GameLobby } from '../ports.ts';
import type { ArenaServer } from './arena-server.ts';
import { issueTicket, newWatcherCookie } from './memory-ports.ts';

/** A real client of a real room, which checks all that it is told. */
export type ArenaClient = {
  readonly room: Room;
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
  await vi.waitFor(() => {
    if (!client.decoder.view.own) throw new Error('not spawned yet');
  }, 5_000);
  return { client, seat };
}

export function joinWithTicket(server: ArenaServer, lobby: GameLobby, joinTicket: string) {
  return join(server, { type: 'player', lobbyId: lobby.id, joinTicket, protocolVersion: PROTOCOL_VERSION });
}

export function spectate(server: ArenaServer, lobby: GameLobby, cookie = newWatcherCookie()) {
  const options = { type: 'spectator', lobbyId: lobby.id, protocolVersion: PROTOCOL_VERSION } as const;
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
    decoder: createArenaDecoder(),
    received: [],
    stateTypes: [],
    closeCode: undefined,
  };
  room.reconnection.enabled = false;
  room.onLeave((code) => {
    client.closeCode = code;
  });
  for (const [type, schema] of Object.entries(ROOM_SERVER_MESSAGES)) {
    room.onMessage(type, (payload) => {
      client.received.push({ type: type as RoomServerMessageType, payload: schema.parse(payload) });
    });
  }
  for (const type of [...PLAYER_STATES, ...SPECTATOR_STATES]) {
    room.onMessage(type, (bytes: Uint8Array) => {
      client.stateTypes.push(type);
      if (decodeUpdate(client.decoder, bytes) === 'needsFull') room.send('fullUpdate');
    });
  }
  return client;
}

export function sendSpawn({ room }: ArenaClient): void {
  room.send('spawn', { name: 'wish', screenWidth: 1920, screenHeight: 1080 });
}

export function messagesOf<Type extends RoomServerMessageType>(
  { received }: ArenaClient,
  type: Type,
): RoomServerPayload<Type>[] {
  return received
    .filter((message) => message.type === type)
    .map(({ payload }) => payload as RoomServerPayload<Type>);
}

/** Resolves with the first message of a type, whether it came already or is still to come. */
export async function firstMessage<Type extends RoomServerMessageType>(
  client: ArenaClient,
  type: Type,
  timeoutMs = 5_000,
): Promise<RoomServerPayload<Type>> {
  return vi.waitFor(() => {
    const [first] = messagesOf(client, type);
    if (!first) throw new Error(`no ${type} yet`);
    return first;
  }, timeoutMs);
}

/** Keeps heading for a moving target, as a player with a mouse would. Returns what stops it. */
export function chase(
  client: ArenaClient,
  target: () => { readonly x: number; readonly y: number } | undefined,
): () => void {
  const timer = setInterval(() => {
    const { own } = client.decoder.view;
    const aim = target();
    if (!own || !aim) return;
    const mass = own.cells.reduce((sum, cell) => sum + cell.mass, 0);
    const x = own.cells.reduce((sum, cell) => sum + cell.x * cell.mass, 0) / mass;
    const y = own.cells.reduce((sum, cell) => sum + cell.y * cell.mass, 0) / mass;
    client.room.send('movement', { x: aim.x - x, y: aim.y - y });
  }, 50);
  return () => clearInterval(timer);
}

type Place = { readonly x: number; readonly y: number };

/** What is closest to a client's largest cell. */
export function nearest<Thing extends Place>({ decoder }: ArenaClient, things: Iterable<Thing>) {
  const { primary } = decoder.view;
  if (!primary) return undefined;
  const distance = ({ x, y }: Place) => Math.hypot(x - primary.x, y - primary.y);
  return [...things].sort((a, b) => distance(a) - distance(b))[0];
}
