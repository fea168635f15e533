import { z } from 'zod';
import { BYTE_MESSAGES } from './byte-messages.ts';
import { ROOM_CLIENT_MESSAGES, type RoomClientMessageType } from './client-messages.ts';
import { changeLeaderboard, type LeaderboardChange, type RoomLeaderboard } from './room-leaderboard.ts';
import type { RoomServerMessageType } from './server-messages.ts';

/*
 * A client that names no version in its join options speaks plainly: types are names, the state of the arena comes as
 * objects, inputs have no numbers. Any Colyseus client can play that way, at the price of more bytes.
 */

const pointer = z.object({ x: z.number(), y: z.number() });
const ping = z.strictObject({ id: z.number(), timestamp: z.number(), data: z.string() });
const isEmpty = (payload: unknown) =>
  payload === undefined || payload === null || z.strictObject({}).safeParse(payload).success;

/** Undefined for anything that is not the name of a client message. */
export function plainTypeOf(name: unknown): RoomClientMessageType | undefined {
  const isKnown = typeof name === 'string' && Object.hasOwn(ROOM_CLIENT_MESSAGES, name);
  return isKnown ? (name as RoomClientMessageType) : undefined;
}

/** Converts the payload of a plain message to the form that the page sends. Malformed ones stay as they are. */
export function fromPlainPayload(type: RoomClientMessageType | undefined, payload: unknown): unknown {
  switch (type) {
    case 'movement': {
      const { data } = pointer.safeParse(payload);
      return data ? BYTE_MESSAGES.movement.write({ ...data, seq: 0 }) : payload;
    }
    case 'split':
    case 'ejectMass':
      return isEmpty(payload) ? BYTE_MESSAGES.split.write({ seq: 0 }) : payload;
    case 'ping': {
      const { data } = ping.safeParse(payload);
      return data ? BYTE_MESSAGES.ping.write(data) : payload;
    }
    case 'fullUpdate':
    case 'f4Testing':
    case 'requestChatHistory':
      return isEmpty(payload) ? undefined : payload;
    default:
      return payload;
  }
}

type PlainMessage = readonly [type: string, payload: unknown];

/** Converts the room's messages for one plain client: one message per line of the feed, the leaderboard always whole. */
export function createPlainMessages(): (type: RoomServerMessageType, payload: unknown) => PlainMessage[] {
  let leaderboard: RoomLeaderboard | undefined;
  return (type, payload) => {
    switch (type) {
      case 'liveUpdate':
        return (payload as object[]).map((line) => [type, line]);
      case 'leaderboard':
        leaderboard = payload as RoomLeaderboard;
        return [[type, payload]];
      case 'leaderboardChange':
        leaderboard &&= changeLeaderboard(leaderboard, payload as LeaderboardChange);
        return leaderboard ? [['leaderboard', leaderboard]] : [];
      default:
        return [[type, payload]];
    }
  };
}
