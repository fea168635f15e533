import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import type { ChatChannel } from '../chat/channels.ts';
import type { Chat } from '../chat/chat.ts';
import type { Context } from '../platform/context.ts';
import type { Listen, MenuClient, MenuServer } from './menu-events.ts';
import type { MenuFeed } from './menu-feed.ts';
import type { Visitors } from './visitors.ts';

type ChatDeps = {
  readonly context: Context;
  readonly chat: Chat;
  readonly visitors: Visitors;
  readonly address: string;
};

/** A socket receives the messages of a lobby once it has read or written there. */
const roomOf = (channel: ChatChannel) => `chat ${channel}`;

/** The menu reads all public channels, and writes to the global one and those of free lobbies. */
export function answerChat(
  listen: Listen,
  socket: MenuClient,
  { context, chat, visitors, address }: ChatDeps,
): void {
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
  const sayMalformed = () => report(failure('INVALID_REQUEST'));
  const say = ({ message, lobbyId }: { message: string; lobbyId: string }) =>
    guarded(async () => {
      const channel = await chat.channels.findOpen(lobbyId);
      if (channel === undefined) return failure('CHAT_NOT_SENT');
      const user = await visitors.identify(socket);
      if (!user) return failure('UNAUTHENTICATED');
      await socket.join(roomOf(channel));
      const written = await chat.write(
        { userId: user.id, address, findUser: async () => user },
        channel,
        message,
      );
      return written.ok ? undefined : written.error;
    });
  listen('lobby:chat:send', say, sayMalformed);
  listen('chat:getHistory', ({ lobbyId, page }) =>
    guarded(async () => {
      const channel = await chat.channels.findPublic(lobbyId);
      if (channel === undefined) return failure('NOT_FOUND');
      await socket.join(roomOf(channel));
      const read = await chat.read(channel, { page, perPage: CHAT_LIMITS.historyPageSize }, address);
      if (!read.ok) return read.error;
      socket.emit('chat:history', read.value);
      return undefined;
    }),
  );
}

/**
 * Sends events of the global channel to everyone and those of other channels to their listeners; notifies users who are
 * kicked. Returns a function that stops it.
 */
export function forwardChat(chat: Chat, io: MenuServer, feed: MenuFeed, visitors: Visitors): () => void {
  return chat.subscribe((event) => {
    switch (event.kind) {
      case 'message': {
        const { message } = event;
        const name = message.type === 'user' ? 'lobby:chat:message' : 'chat:message';
        if (message.lobbyId === GLOBAL_CHANNEL) feed.post(name, message);
        else io.to(roomOf(message.lobbyId as ChatChannel)).emit(name, message);
        return;
      }
      case 'removed': {
        const removed = { lobbyId: event.channel };
        if (event.channel === GLOBAL_CHANNEL) feed.post('chat:getHistory', removed);
        else io.to(roomOf(event.channel)).emit('chat:getHistory', removed);
        return;
      }
      case 'kicked':
        visitors.windowsOf(event.userId).emit('game_ended', { message: 'kicked' });
    }
  });
}
