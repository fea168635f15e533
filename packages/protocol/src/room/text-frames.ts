import { z } from 'zod';
import { parseJson, ROOM_CLIENT_MESSAGES, type RoomClientMessageType } from './client-messages.ts';
import { changeLeaderboard, type LeaderboardChange, type RoomLeaderboard } from './room-leaderboard.ts';
import type { RoomServerMessageType } from './server-messages.ts';
import type { StateMessageType } from './state-messages.ts';

/*
 * A text frame is JSON: `type` is the name of the message, and its fields stand beside it. What has a `type` of its own, a
 * line of the chat or of the feed, stands in `payload` instead. A client whose first frame is text gets text, so any
 * language with a WebSocket can play, at the price of more bytes.
 */

const envelope = z.looseObject({ type: z.string() });

/** The name and the fields of a message; undefined for what is none. */
export function readTextFrame(text: string): { readonly type: string; readonly body: unknown } | undefined {
  const { data } = envelope.safeParse(parseJson(text));
  if (!data) return undefined;
  const { type, ...body } = data;
  return { type, body };
}

export function isClientType(type: string): type is RoomClientMessageType {
  return Object.hasOwn(ROOM_CLIENT_MESSAGES, type);
}

export function textFrame(type: RoomServerMessageType | StateMessageType, payload: object): string {
  const isFlat = !Array.isArray(payload) && !('type' in payload);
  return JSON.stringify(isFlat ? { type, ...payload } : { type, payload });
}

/** The room's messages as one text client gets them: one for each line of the feed, the leaderboard always whole. */
export function createTextSpeech(): (type: RoomServerMessageType, payload: object) => string[] {
  let leaderboard: RoomLeaderboard | undefined;
  return (type, payload) => {
    switch (type) {
      case 'liveUpdate':
        return (payload as object[]).map((line) => textFrame(type, line));
      case 'leaderboard':
        leaderboard = payload as RoomLeaderboard;
        return [textFrame(type, payload)];
      case 'leaderboardChange':
        leaderboard &&= changeLeaderboard(leaderboard, payload as LeaderboardChange);
        return leaderboard ? [textFrame('leaderboard', leaderboard)] : [];
      default:
        return [textFrame(type, payload)];
    }
  };
}
