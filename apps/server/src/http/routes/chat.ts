import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { readChatHistory, removeChatMessage } from '@engulf/protocol/chat';
import type { FastifyInstance } from 'fastify';
import type { Chat } from '../../chat/chat.ts';
import type { Context } from '../../platform/context.ts';
import { serveCall, signedIn } from '../serve-call.ts';

/** Messages are written over the sockets; older ones are read here. */
export function registerChat(app: FastifyInstance, context: Pick<Context, 'db' | 'nowMs'>, chat: Chat): void {
  serveCall(app, readChatHistory, async ({ params, query, client }) => {
    const channel = await chat.channels.findPublic(params.lobbyId);
    return channel === undefined ? refuse('NOT_FOUND') : chat.read(channel, query, client.address);
  });
  serveCall(
    app,
    removeChatMessage,
    signedIn(context, async (user, { body }) => {
      const removed = await chat.remove(user, Number(body.id));
      return removed.ok ? ok({ status: 'success' }) : removed;
    }),
  );
}
