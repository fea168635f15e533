import { MENU_CLIENT_EVENTS, MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { ROOM_CLIENT_MESSAGES } from '@engulf/protocol/room/client-messages';
import { FIRST_MESSAGES, LOBBY_PARAMETER, ROOM_NAME } from '@engulf/protocol/room/join';
import { CLOSE_CODES, ROOM_SERVER_MESSAGES } from '@engulf/protocol/room/server-messages';
import { ROOM_STATE_MESSAGES } from '@engulf/protocol/room/state-messages';
import type { MessageLimit } from '@engulf/protocol/token-bucket';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { z } from 'zod';
import { SESSION_COOKIE } from '../../accounts/sessions.ts';
import { MENU_SOCKET_PATH } from '../../menu/menu-socket.ts';
import { toSchema } from './describe-api.ts';

/** A message as the tables of the protocol have it. */
type Known = {
  readonly number?: number;
  readonly payload: z.ZodType;
  readonly limit?: MessageLimit;
  readonly from?: readonly string[];
};
type Table = { readonly [name: string]: Known };

export type SocketMessage = {
  readonly name: string;
  readonly summary: string;
  readonly payload: object;
  /** Byte 0 of a binary frame. */
  readonly 'x-number'?: number;
  readonly 'x-limit'?: MessageLimit;
  readonly 'x-from'?: readonly string[];
};

export type SocketDescription = ReturnType<typeof describeSockets>;

const FROM_SERVER = '.fromServer';

const TO_ROOM: Table = { ...FIRST_MESSAGES, ...ROOM_CLIENT_MESSAGES };
const FROM_ROOM = answersTo(TO_ROOM, { ...ROOM_STATE_MESSAGES, ...ROOM_SERVER_MESSAGES });
const TO_MENU: Table = MENU_CLIENT_EVENTS;
const FROM_MENU = answersTo(
  TO_MENU,
  Object.fromEntries(Object.entries(MENU_SERVER_EVENTS).map(([name, payload]) => [name, { payload }])),
);

/** A name that goes both ways gets another key for the way from the server. */
function answersTo(asked: Table, table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, message]) => [name in asked ? `${name}${FROM_SERVER}` : name, message]),
  );
}

const ROOM_TEXT = `Open a WebSocket to \`baseGame\` of the lobby (or to this host if that is null), path \
/${ROOM_NAME}?${LOBBY_PARAMETER}=id. The first frame is \`join\` or \`resume\`; it is answered with \`welcome\`, or with \`error\` \
and a close. Text frames are JSON: \`type\` is the name of the message, its fields stand beside it; what has a \`type\` of its own, \
or is a list, stands in \`payload\`. A client whose first frame is binary gets binary frames: the message's number in one byte, \
then its body. Close codes: ${Object.entries(CLOSE_CODES)
  .map(([name, code]) => `${code} ${name}`)
  .join(', ')}.`;

/** Rooms and menu as an AsyncAPI document, made from the tables that messages are checked with. */
export function describeSockets({ serverUrl }: { readonly serverUrl: string }) {
  const { host, protocol } = new URL(serverUrl);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Engulf, realtime',
      version: String(PROTOCOL_VERSION),
      description:
        'The room of a lobby, and the menu. `lobbyId` is the `id` of a lobby everywhere but in the lobby list itself, where ' +
        'it is the number on the chain. Amounts are base units as decimal texts, `reward`, `fee`, `pool` and `TVL` texts for ' +
        `people. Spectators and the menu know who you are by the cookie ${SESSION_COOKIE}; players by their ticket. Limits are ` +
        'buckets: `burst` at once, refilled at `perSecond`.',
    },
    servers: { game: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    channels: {
      room: channel(`/${ROOM_NAME}`, ROOM_TEXT, { ...TO_ROOM, ...FROM_ROOM }),
      menu: channel(MENU_SOCKET_PATH, 'Socket.IO 4. Events with one argument.', { ...TO_MENU, ...FROM_MENU }),
    },
    operations: {
      sendToRoom: operation('room', 'receive', TO_ROOM),
      hearRoom: operation('room', 'send', FROM_ROOM),
      sendToMenu: operation('menu', 'receive', TO_MENU),
      hearMenu: operation('menu', 'send', FROM_MENU),
    },
  } as const;
}

function channel(address: string, description: string, table: Table) {
  const messages = Object.fromEntries(
    Object.entries(table).map(([key, message]) => [key, describeMessage(key, message)]),
  );
  return { address, description, messages };
}

function describeMessage(key: string, { number, payload, limit, from }: Known): SocketMessage {
  return {
    name: key.replace(FROM_SERVER, ''),
    summary: payload.description ?? '',
    payload: toSchema(payload, 'input'),
    ...(number !== undefined && { 'x-number': number }),
    ...(limit && { 'x-limit': limit }),
    ...(from && { 'x-from': from }),
  };
}

/** As the server sees it: what clients send is received. */
function operation(name: string, action: 'send' | 'receive', table: Table) {
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    messages: Object.keys(table).map((key) => ({ $ref: `#/channels/${name}/messages/${key}` })),
  };
}
