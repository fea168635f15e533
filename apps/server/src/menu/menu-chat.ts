import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { findPublicChannel } from '../chat/channels.ts';
import type { Chat } from '../chat/chat.ts';
import type { Context } from '../platform/context.ts';
import type { Listen, MenuClient } from './menu-events.ts';
import type { MenuFeed } from './menu-feed.ts';
import type { Visitors } from './visitors.ts';

type ChatDeps = {
  readonly context: Context;
  readonly chat: Chat;
  readonly visitors: Visitors;
  addressOf(socket: MenuClient): string;
};

/** The menu reads and writes the global channel; the channels of lobbies are spoken in from their rooms. */
export function answerChat(listen: Listen, socket: MenuClient, deps: ChatDeps): void {
  const { context, chat, visitors } = deps;
  const report = (refusal: Failure) => {
    socket.emit('chat:error', { reason: describeFailure(refusal).text, error: refusal.code });
  };
  const guarded = async (work: () => Promise<Failure | undefined>) => {
    try {
      const refusal = await work();
      if (refusal) report(refusal);
    } catch (error) {
      context.logger.error({ code: 'CHAT_FAILED', err: error }, 'a chat message was not handled');
      report(failure('CHAT_NOT_SENT'));
    }
  };
  listen('lobby:chat:send', ({ message, lobbyId }) =>
    guarded(async () => {
      if (lobbyId !== GLOBAL_CHANNEL) return failure('CHAT_NOT_SENT');
      const user = await visitors.identify(socket);
      if (!user) return failure('UNAUTHENTICATED');
      const written = await chat.write({ user, address: deps.addressOf(socket) }, lobbyId, message);
      return written.ok ? undefined : written.error;
    }),
  );
  listen('chat:getHistory', ({ lobbyId, page }) =>
    guarded(async () => {
      const channel = await findPublicChannel(context.db, lobbyId);
      if (channel === undefined) return failure('NOT_FOUND');
      const read = await chat.read(channel, { page, perPage: CHAT_LIMITS.historyPageSize });
      if (!read.ok) return read.error;
      socket.emit('chat:history', read.value);
      return undefined;
    }),
  );
}

/** Passes on what happens in the global channel, and tells a user who is kicked. Returns a function that ends it. */
export function forwardChat(chat: Chat, feed: MenuFeed, visitors: Visitors): () => void {
  return chat.subscribe((event) => {
    switch (event.kind) {
      case 'message':
        if (event.message.lobbyId !== GLOBAL_CHANNEL) return;
        return feed.post(
          event.message.type === 'user' ? 'lobby:chat:message' : 'chat:message',
          event.message,
        );
      case 'removed':
        if (event.channel !== GLOBAL_CHANNEL) return;
        return feed.post('chat:getHistory', { lobbyId: event.channel });
      case 'kicked':
        visitors.windowsOf(event.userId).emit('game_ended', { message: 'kicked' });
    }
  });
}
