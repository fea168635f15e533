import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { ChatMessage } from '@engulf/protocol/chat';
import type { ChatChannel } from './channels.ts';

/** What the readers of a channel have to hear of. */
export type ChatEvent =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  /** Messages of the channel are no longer to be shown. */
  | { readonly kind: 'removed'; readonly channel: ChatChannel }
  | { readonly kind: 'kicked'; readonly userId: UserId };
