import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { EMOTES } from '@engulf/domain/chat/emotes';
import { USERNAME_LIMITS } from '@engulf/domain/ids/username';
import { z } from 'zod';
import { chatMessageSchema } from '../chat.ts';

/** Long messages are refused with a reason; this bound only keeps the frame small. */
const text = z.string().max(2_000);
const name = z.string().max(4 * USERNAME_LIMITS.maxLength);

const emoteNumber = z
  .int()
  .min(0)
  .max(EMOTES.length - 1)
  .describe(EMOTES.map((text, number) => `${number}: ${text}`).join(', '));

const LIMIT = { perSecond: 2, burst: 10 } as const;
const PLAYERS = ['player', 'tester'] as const;
const EVERYONE = ['player', 'tester', 'spectator'] as const;

/** What people in a room may send to its chat. Spectators can only read it; admins among them can moderate it. */
export const ROOM_CHAT_CLIENT_MESSAGES = {
  chat: {
    number: 9,
    payload: z
      .object({ message: text, sender: name.nullish().describe("Ignored: the sender is the seat's user") })
      .describe('Writes a line. "@name text" is private, "/command" is for admins.'),
    limit: LIMIT,
    from: PLAYERS,
  },
  privateMessage: {
    number: 10,
    payload: z.object({ to: name, message: text }).describe('Writes to one player of this room.'),
    limit: LIMIT,
    from: PLAYERS,
  },
  admin: {
    number: 11,
    payload: z
      .object({ command: z.string().max(32), args: z.array(text).max(CHAT_LIMITS.maxLength) })
      .describe("'/kick ann' is the command 'kick' with the arguments ['ann']."),
    limit: LIMIT,
    from: EVERYONE,
  },
  emote: {
    number: 14,
    payload: z
      .object({ emote: emoteNumber })
      .describe('Shows one of six short words on the cell of the sender. The rules of the chat apply.'),
    limit: { perSecond: 0.5, burst: 4 },
    from: PLAYERS,
  },
  requestChatHistory: {
    number: 12,
    payload: z.object({}).describe('Answered with chatHistory.'),
    limit: { perSecond: 0.5, burst: 3 },
    from: EVERYONE,
  },
} as const;

/** One line of a room's chat. */
const line = chatMessageSchema.omit({ type: true }).extend({
  /** The server, join, leave, kill and system lines of a room are made by the client, from what it sees. */
  type: z.enum(['player', 'admin', 'announcement', 'private']),
});

export type RoomChatLine = z.infer<typeof line>;

export const ROOM_CHAT_SERVER_MESSAGES = {
  chatMessage: { number: 17, payload: line.describe('A new line.') },
  chatHistory: {
    number: 18,
    payload: z
      .object({ messages: z.array(line) })
      .describe('The latest lines, oldest first. Replaces what the client has.'),
  },
  privateMessage: {
    number: 19,
    payload: line.extend({ to: z.string() }).describe('A private line, to both ends of it.'),
  },
  chatError: {
    number: 20,
    payload: z.object({ error: z.string() }).describe('Why a line was not sent, for people.'),
  },
  kick: {
    number: 21,
    payload: z
      .object({ reason: z.string() })
      .describe('An admin removes the reader. The connection ends with it.'),
  },
  emote: {
    number: 26,
    payload: z
      .object({ name: z.string().describe('Of the player'), emote: emoteNumber })
      .describe('A player shows a word on its cell.'),
  },
  game_ended: {
    number: 22,
    payload: z.object({ message: z.string() }).describe("The reader's session is over."),
  },
} as const;
