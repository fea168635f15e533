import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { USERNAME_LIMITS } from '@engulf/domain/ids/username';
import { z } from 'zod';
import { chatMessageSchema } from '../chat.ts';

/** Long messages are refused with a reason; this bound only keeps the frame small. */
const text = z.string().max(2_000);
const name = z.string().max(4 * USERNAME_LIMITS.maxLength);

/** What people in a room may send to its chat. */
export const ROOM_CHAT_CLIENT_MESSAGES = {
  /** `sender` is ignored in favour of the seat's user. */
  chat: {
    payload: z.strictObject({ message: text, sender: name.optional() }),
    limit: { perSecond: 2, burst: 10 },
  },
  privateMessage: {
    payload: z.strictObject({ to: name, message: text }),
    limit: { perSecond: 2, burst: 10 },
  },
  /** '/kick ann' is the command 'kick' with the arguments ['ann']. */
  admin: {
    payload: z.strictObject({ command: z.string().max(32), args: z.array(text).max(CHAT_LIMITS.maxLength) }),
    limit: { perSecond: 2, burst: 10 },
  },
  /** Answered with `chatHistory`. */
  requestChatHistory: { payload: z.undefined(), limit: { perSecond: 0.5, burst: 3 } },
} as const;

/** One line of a room's chat. */
const line = chatMessageSchema.omit({ type: true }).extend({
  /** The server, join, leave, kill and system lines of a room are made by the client, from what it sees. */
  type: z.enum(['player', 'admin', 'announcement', 'private']),
});

export type RoomChatLine = z.infer<typeof line>;

export const ROOM_CHAT_SERVER_MESSAGES = {
  chatMessage: line,
  /** Oldest first; replaces what the client has. */
  chatHistory: z.object({ messages: z.array(line) }),
  /** To both ends of it. */
  privateMessage: line.extend({ to: z.string() }),
  /** Why a message was not sent, for people. */
  chatError: z.object({ error: z.string() }),
  /** An admin removes the reader from the game. The connection ends with it. */
  kick: z.object({ reason: z.string() }),
  /** The reader's session is over. */
  game_ended: z.object({ message: z.string() }),
} as const;
