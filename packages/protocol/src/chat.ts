import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { z } from 'zod';
import { type HttpCall, perMinute, successSchema } from './http/call.ts';
import { rowIdSchema, timestampMsSchema } from './wire-values.ts';

/** The channel of the menu. Every other channel has the id of its lobby. */
export const GLOBAL_CHANNEL = 'global';

export const chatMessageSchema = z.object({
  /** Grows with every message of the server. */
  id: z.string().regex(/^\d{1,15}$/),
  sender: z.string(),
  /** The channel: `GLOBAL_CHANNEL` or the id of a lobby. */
  lobbyId: rowIdSchema,
  /** Null for what the server says. */
  user_id: rowIdSchema.nullable(),
  message: z.string(),
  avatarUrl: z.string().nullable(),
  timestamp: timestampMsSchema,
  type: z.enum(['user', 'system']),
});

export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** Newest first; page 1 has the newest. */
export const chatHistoryPageSchema = z.object({
  data: z.array(chatMessageSchema),
  hasMorePages: z.boolean(),
  currentPage: z.int().positive(),
});

export type ChatHistoryPage = z.infer<typeof chatHistoryPageSchema>;

/** Why a message was not sent: the text for people and its code. */
export const chatErrorSchema = z.object({ reason: z.string(), error: z.string() });

export const readChatHistory = {
  method: 'GET',
  path: '/api/chat/history/:lobbyId',
  params: z.strictObject({ lobbyId: rowIdSchema }),
  query: z.strictObject({
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    perPage: z.coerce.number().int().min(1).max(50).default(CHAT_LIMITS.historyPageSize),
  }),
  answer: chatHistoryPageSchema,
  limit: perMinute(120),
} as const satisfies HttpCall;

/** For admins. */
export const removeChatMessage = {
  method: 'POST',
  path: '/api/chat/remove',
  body: z.strictObject({ id: chatMessageSchema.shape.id }),
  answer: z.object({ status: successSchema }),
  limit: perMinute(60),
} as const satisfies HttpCall;
