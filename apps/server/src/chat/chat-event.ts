import { lobbyId, type UserId, userId } from '@engulf/domain/ids/entity-ids';
import { type ChatMessage, chatMessageSchema, GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { z } from 'zod';
import type { Topic } from '../platform/fleet/bus.ts';
import type { ChatChannel } from './channels.ts';

/** A message, and whether its author is an admin now. */
export type WrittenMessage = { readonly message: ChatMessage; readonly isByAdmin: boolean };

/** What the readers of a channel are told. */
export type ChatEvent =
  | ({ readonly kind: 'message' } & WrittenMessage)
  /** Messages of the channel were removed. */
  | { readonly kind: 'removed'; readonly channel: ChatChannel }
  | { readonly kind: 'kicked'; readonly userId: UserId };

const channelSchema = z.union([z.literal(GLOBAL_CHANNEL), z.uuid().transform(lobbyId)]);

export const CHAT_EVENTS: Topic<ChatEvent> = {
  name: 'chat',
  schema: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('message'), message: chatMessageSchema, isByAdmin: z.boolean() }),
    z.object({ kind: z.literal('removed'), channel: channelSchema }),
    z.object({ kind: z.literal('kicked'), userId: z.uuid().transform(userId) }),
  ]),
};
